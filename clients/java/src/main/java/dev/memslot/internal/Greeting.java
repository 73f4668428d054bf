package dev.memslot.internal;

import dev.memslot.errors.MemslotExceptions;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ConnectivityState;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A question about health, which is not repeated: how it fails tells why nobody is reached. */
final class Greeting extends ClientCall.Listener<byte[]> {
  private static final long LONGEST_S = 2;
  private static final MethodDescriptor<byte[], byte[]> CHECK =
      MethodDescriptor.<byte[], byte[]>newBuilder()
          .setType(MethodDescriptor.MethodType.UNARY)
          .setFullMethodName("grpc.health.v1.Health/Check")
          .setRequestMarshaller(new Bytes())
          .setResponseMarshaller(new Bytes())
          .build();

  private final CompletableFuture<ConnectivityState> ready;

  private Greeting(CompletableFuture<ConnectivityState> ready) {
    this.ready = ready;
  }

  static void send(Channel channel, CompletableFuture<ConnectivityState> ready) {
    CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(LONGEST_S, TimeUnit.SECONDS);
    ClientCall<byte[], byte[]> call = channel.newCall(CHECK, options);
    call.start(new Greeting(ready), new Metadata());
    call.sendMessage(new byte[0]);
    call.halfClose();
    call.request(2);
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    boolean nobody =
        status.getCode() == Status.Code.UNAVAILABLE
            || status.getCode() == Status.Code.DEADLINE_EXCEEDED;
    if (nobody) {
      ready.completeExceptionally(MemslotExceptions.of(status.asRuntimeException()));
    } else {
      ready.complete(ConnectivityState.READY);
    }
  }

  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException unreadable) {
        throw new UncheckedIOException(unreadable);
      }
    }
  }
}
