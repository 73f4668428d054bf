package dev.memslot.internal;

import com.google.protobuf.Message;
import dev.memslot.errors.MemslotException;
import dev.memslot.errors.MemslotExceptions;
import dev.memslot.errors.Mutation;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ConnectivityState;
import io.grpc.Deadline;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.ReflectableMarshaller;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The way to a sidecar: calls with deadline, request id and typed errors. */
public final class Connection implements AutoCloseable {
  private final Settings settings;
  private final ManagedChannel channel;
  private final FirstContact contact;

  /** Makes a connection; nothing is connected before the first call. */
  public Connection(Settings settings) {
    this.settings = settings;
    this.channel = Channels.open(settings);
    this.contact = new FirstContact(channel, settings.target(), settings.waitForReady());
  }

  /** The channel, which tells who asks, and retries. */
  public Channel channel() {
    return channel;
  }

  /** Where it leads. */
  public Target target() {
    return settings.target();
  }

  /**
   * Calls a unary RPC and waits for its reply.
   *
   * @throws MemslotException when it fails
   */
  public <Q extends Message, R> R call(MethodDescriptor<Q, R> method, Q request, Scope scope) {
    return call(method, request, scope, replyType(method), reply -> reply);
  }

  /** The same, with what becomes of the reply. */
  public <Q extends Message, R, T> T call(
      MethodDescriptor<Q, R> method, Q request, Scope scope, Class<T> type, Function<R, T> parse) {
    Q sent = RequestIds.filled(request);
    CallOptions options = options(scope);
    Mutation<T> mutation = mutation(method, sent, scope, type, parse);
    contact.await(options.getDeadline(), mutation);
    R reply;
    try {
      reply = ClientCalls.blockingUnaryCall(channel, method, options, sent);
    } catch (StatusRuntimeException error) {
      throw translated(error, mutation);
    }
    return parse.apply(reply);
  }

  /** Calls a unary RPC; the future fails with a {@link MemslotException}. */
  public <Q extends Message, R, T> CompletableFuture<T> callAsync(
      MethodDescriptor<Q, R> method, Q request, Scope scope, Class<T> type, Function<R, T> parse) {
    Q sent = RequestIds.filled(request);
    CallOptions options = options(scope);
    Mutation<T> mutation = mutation(method, sent, scope, type, parse);
    return AsyncCall.start(
        contact.awaitAsync(options.getDeadline(), mutation),
        () -> channel.newCall(method, options),
        sent,
        parse,
        failed -> translated(failed, mutation));
  }

  /** Calls a unary RPC; the future fails with a {@link MemslotException}. */
  public <Q extends Message, R> CompletableFuture<R> callAsync(
      MethodDescriptor<Q, R> method, Q request, Scope scope) {
    return callAsync(method, request, scope, replyType(method), reply -> reply);
  }

  /** Calls a server-streaming RPC; its iterator throws {@link MemslotException}. */
  public <Q extends Message, R> Iterator<R> stream(
      MethodDescriptor<Q, R> method, Q request, Scope scope) {
    CallOptions options = options(scope);
    contact.await(options.getDeadline(), null);
    Iterator<R> replies =
        ClientCalls.blockingServerStreamingCall(channel, method, options, request);
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        try {
          return replies.hasNext();
        } catch (StatusRuntimeException error) {
          throw translated(error, null);
        }
      }

      @Override
      public R next() {
        try {
          return replies.next();
        } catch (StatusRuntimeException error) {
          throw translated(error, null);
        }
      }
    };
  }

  private CallOptions options(Scope scope) {
    CallOptions options =
        CallOptions.DEFAULT
            .withOption(SaidInterceptor.SAID, scope.said())
            .withMaxOutboundMessageSize(settings.messageLimitBytes());
    Duration timeout = scope.timeout();
    if (timeout != null) {
      options = options.withDeadline(Deadline.after(timeout.toNanos(), TimeUnit.NANOSECONDS));
    }
    return settings.waitForReady() ? options.withWaitForReady() : options;
  }

  private <Q extends Message, R, T> @Nullable Mutation<T> mutation(
      MethodDescriptor<Q, R> method, Q sent, Scope scope, Class<T> type, Function<R, T> parse) {
    String requestId = RequestIds.of(sent);
    return requestId.isEmpty()
        ? null
        : Mutation.of(
            method, sent, requestId, type, again -> call(method, again, scope, type, parse));
  }

  private static <R> Class<R> replyType(MethodDescriptor<?, R> method) {
    return ((ReflectableMarshaller<R>) method.getResponseMarshaller()).getMessageClass();
  }

  private static MemslotException translated(
      StatusRuntimeException error, @Nullable Mutation<?> mutation) {
    return mutation == null ? MemslotExceptions.of(error) : MemslotExceptions.of(error, mutation);
  }

  /** Closes the channel; calls in flight are cancelled. */
  @Override
  public void close() {
    channel.shutdownNow();
    try {
      channel.awaitTermination(5, TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether the channel is connected now. */
  public boolean isConnected() {
    return channel.getState(false) == ConnectivityState.READY;
  }
}
