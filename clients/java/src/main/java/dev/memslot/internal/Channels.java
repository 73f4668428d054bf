package dev.memslot.internal;

import com.google.gson.Gson;
import com.google.gson.reflect.TypeToken;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;

/**
 * How channels are made: retries by the service config, message limits, no proxy, no long pauses.
 */
final class Channels {
  private static final String SERVICE_CONFIG = "/dev/memslot/service_config.json";
  private static final int CALLS_IN_RETRY_BUFFER = 64;
  private static final int FRAMING_BYTES = 64 * 1024;

  private Channels() {}

  static ManagedChannel open(Settings settings) {
    return open(settings, ShortPauses.STARTED_AGAIN);
  }

  static ManagedChannel open(Settings settings, Duration pausesStartedAgain) {
    // gRPC repeats a call only while all of it is in its buffer, which holds 1 MiB by default.
    long callBytes = (long) settings.messageLimitBytes() + FRAMING_BYTES;
    ManagedChannelBuilder<?> builder =
        Grpc.newChannelBuilder(settings.target().uri(), settings.credentials())
            .defaultServiceConfig(serviceConfig())
            .enableRetry()
            .perRpcBufferLimit(callBytes)
            .retryBufferSize(callBytes * CALLS_IN_RETRY_BUFFER)
            .maxInboundMessageSize(settings.messageLimitBytes())
            .proxyDetector(address -> null);
    if (settings.target().isUnix()) {
      UnixSockets.prepare(builder);
    }
    ManagedChannel channel = builder.build();
    ShortPauses.keep(channel, pausesStartedAgain, settings.waitForReady());
    return channel;
  }

  /** The service config, the same file in the client of every language. */
  static Map<String, ?> serviceConfig() {
    try (InputStream file = Channels.class.getResourceAsStream(SERVICE_CONFIG);
        Reader text = new InputStreamReader(Objects.requireNonNull(file), StandardCharsets.UTF_8)) {
      return new Gson().fromJson(text, new TypeToken<Map<String, Object>>() {});
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
