package dev.memslot;

import dev.memslot.internal.Bearer;
import dev.memslot.internal.Connection;
import dev.memslot.internal.Said;
import dev.memslot.internal.Scope;
import dev.memslot.internal.Settings;
import dev.memslot.internal.Target;
import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.TlsChannelCredentials;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What may be said when connecting. */
public final class MemslotClientBuilder {
  private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);
  private static final int MESSAGE_LIMIT_BYTES = 4 * 1024 * 1024;

  private @Nullable String target;
  private @Nullable String namespace;
  private @Nullable Duration timeout = DEFAULT_TIMEOUT;
  private @Nullable ChannelCredentials credentials;
  private @Nullable Supplier<String> token;
  private Said said = Said.NOTHING;
  private int messageLimitBytes = MESSAGE_LIMIT_BYTES;
  private boolean waitForReady;

  MemslotClientBuilder() {}

  /** {@code host:port} or {@code unix:/path}; by default MEMSLOT_TARGET or 127.0.0.1:7420. */
  public MemslotClientBuilder target(String hostAndPortOrSocket) {
    target = hostAndPortOrSocket;
    return this;
  }

  /** The namespace of {@link MemslotClient#memory()}; by default MEMSLOT_NAMESPACE or default. */
  public MemslotClientBuilder namespace(String path) {
    namespace = path;
    return this;
  }

  /** How long each call may take, retries included; by default ten seconds. */
  public MemslotClientBuilder timeout(Duration longest) {
    timeout = longest;
    return this;
  }

  /** Calls wait without bound, unless a view says otherwise. */
  public MemslotClientBuilder noTimeout() {
    timeout = null;
    return this;
  }

  /** TLS by the authorities that this Java trusts. */
  public MemslotClientBuilder tls() {
    return credentials(TlsChannelCredentials.create());
  }

  /**
   * TLS by the authorities in a PEM file.
   *
   * @throws UncheckedIOException when it cannot be read
   */
  public MemslotClientBuilder tls(Path authorities) {
    try {
      return credentials(
          TlsChannelCredentials.newBuilder().trustManager(authorities.toFile()).build());
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** Any credentials of gRPC, such as TLS with a client's certificate. */
  public MemslotClientBuilder credentials(ChannelCredentials channelCredentials) {
    credentials = Objects.requireNonNull(channelCredentials);
    return this;
  }

  /**
   * The token to show with each call. Refused over plaintext TCP to another machine.
   *
   * @throws IllegalArgumentException unless it is printable ASCII without spaces around it
   */
  public MemslotClientBuilder token(String bearer) {
    Bearer.header(bearer);
    return token(() -> bearer);
  }

  /** The same for a token that changes: asked for with each call, so let it answer at once. */
  public MemslotClientBuilder token(Supplier<String> bearer) {
    token = Objects.requireNonNull(bearer);
    return this;
  }

  /** Which agent asks, as the audit tells it: recorded as said, never believed. */
  public MemslotClientBuilder agent(String name) {
    said = new Said(name, said.conversation(), said.turn(), said.traceparent());
    return this;
  }

  /** Which conversation the calls belong to, as the audit tells it. */
  public MemslotClientBuilder conversation(String id) {
    said = new Said(said.agent(), id, said.turn(), said.traceparent());
    return this;
  }

  /** The present W3C trace, asked for with each call; an empty one is not sent. */
  public MemslotClientBuilder traceparent(Supplier<String> source) {
    said = said.traced(source);
    return this;
  }

  /** How large requests and replies may be, as the server's setting of that name; 4 MiB. */
  public MemslotClientBuilder messageLimitBytes(int bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException(
          "messageLimitBytes is %d: it must be positive".formatted(bytes));
    }
    messageLimitBytes = bytes;
    return this;
  }

  /** Calls wait for a sidecar that is still starting, within their timeout. */
  public MemslotClientBuilder waitForReady() {
    waitForReady = true;
    return this;
  }

  /**
   * Makes the client; nothing is connected before the first call.
   *
   * @throws IllegalArgumentException for a target or timeout that cannot work, and for a token that
   *     would travel in the clear
   */
  public MemslotClient connect() {
    Target where = Target.of(target);
    ChannelCredentials chosen =
        credentials == null ? InsecureChannelCredentials.create() : credentials;
    boolean inTheClear = chosen.withoutBearerTokens() instanceof InsecureChannelCredentials;
    if (token != null && inTheClear && !where.isLocal()) {
      throw new IllegalArgumentException(
          "a token would travel in the clear to "
              + where
              + ": connect with tls(), or by loopback or a Unix socket");
    }
    Scope scope = new Scope(said, null);
    if (timeout != null) {
      scope = scope.within(timeout);
    }
    Settings settings = new Settings(where, chosen, token, said, messageLimitBytes, waitForReady);
    return new MemslotClient(new Connection(settings), scope, Target.namespace(namespace));
  }
}
