package dev.memslot.internal;

import com.google.protobuf.Message;
import dev.memslot.errors.MemslotException;
import dev.memslot.errors.MemslotExceptions;
import dev.memslot.errors.Mutation;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.ReflectableMarshaller;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The way to a sidecar: calls with deadline, request id and typed errors. */
public final class Connection implements AutoCloseable {
  private static final long TIMERS_DIFFER_MS = 50;
  private static final Duration LONGEST = Duration.ofDays(36500);

  private final Settings settings;
  private final ManagedChannel channel;
  private final Channel calls;
  private final FirstContact contact;

  /** Makes a connection; nothing is connected before the first call. */
  public Connection(Settings settings) {
    this.settings = settings;
    this.channel = Channels.open(settings);
    this.calls =
        ClientInterceptors.intercept(
            channel, new SaidInterceptor(settings.said(), settings.token()));
    this.contact = new FirstContact(channel, settings.target(), settings.waitForReady());
  }

  /** The channel, which tells who asks, and retries. */
  public Channel channel() {
    return calls;
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
    return call(whole(method, request), scope);
  }

  /** The same, with what becomes of the reply. */
  public <Q extends Message, R, T> T call(Call<Q, R, T> call, Scope scope) {
    WholeTexts.check(call.request());
    Call<Q, R, T> sent = call.withRequestId();
    CallOptions options = options(scope);
    Mutation<T> mutation = mutation(sent);
    checkOpen(mutation);
    contact.await(options.getDeadline(), mutation);
    checkSize(sent.request(), mutation);
    for (int attempt = 1; ; attempt++) {
      try {
        R reply = ClientCalls.blockingUnaryCall(calls, sent.method(), options, sent.request());
        return sent.parsed(reply);
      } catch (StatusRuntimeException error) {
        if (!BrokenConnection.isWorthAnother(error.getStatus(), attempt)) {
          throw translated(late(error, scope, options), mutation);
        }
      }
    }
  }

  /** Calls a unary RPC; the future fails with a {@link MemslotException}. */
  public <Q extends Message, R> CompletableFuture<R> callAsync(
      MethodDescriptor<Q, R> method, Q request, Scope scope) {
    return callAsync(whole(method, request), scope);
  }

  /** The same, with what becomes of the reply. */
  public <Q extends Message, R, T> CompletableFuture<T> callAsync(Call<Q, R, T> call, Scope scope) {
    WholeTexts.check(call.request());
    Call<Q, R, T> sent = call.withRequestId();
    CallOptions options = options(scope);
    Mutation<T> mutation = mutation(sent);
    if (channel.isShutdown()) {
      return CompletableFuture.failedFuture(MemslotExceptions.closed(mutation));
    }
    return AsyncCall.start(
        contact.awaitAsync(options.getDeadline(), mutation),
        () -> {
          checkSize(sent.request(), mutation);
          return calls.newCall(sent.method(), options);
        },
        sent.request(),
        sent::parsed,
        failed -> translated(late(failed, scope, options), mutation));
  }

  /** Repeats a mutation under its request id. */
  public <T> T repeat(Mutation<T> mutation, Scope scope) {
    if (mutation instanceof Sent<?, ?, T> sent) {
      return sent.repeat(this, scope);
    }
    throw new IllegalArgumentException("the mutation is not one of this client's");
  }

  /** What becomes of a reply of a stream. */
  public interface Receiver<R, X extends Exception> {
    /** Takes one reply; when it throws the call is cancelled. */
    void accept(R reply) throws X;
  }

  /**
   * Calls a server-streaming RPC, and hands each reply on.
   *
   * @throws MemslotException when it fails
   * @throws X when the receiver does
   */
  public <Q extends Message, R, X extends Exception> void stream(
      MethodDescriptor<Q, R> method, Q request, Scope scope, Receiver<R, X> receiver) throws X {
    WholeTexts.check(request);
    checkOpen(null);
    CallOptions options = options(scope);
    contact.await(options.getDeadline(), null);
    Context.CancellableContext lifetime = Context.current().withCancellation();
    Context before = lifetime.attach();
    try {
      Iterator<R> replies =
          ClientCalls.blockingServerStreamingCall(calls, method, options, request);
      while (hasNext(replies, scope, options)) {
        receiver.accept(replies.next());
      }
    } finally {
      lifetime.detach(before);
      lifetime.cancel(null);
    }
  }

  private boolean hasNext(Iterator<?> replies, Scope scope, CallOptions options) {
    try {
      return replies.hasNext();
    } catch (StatusRuntimeException error) {
      throw translated(late(error, scope, options), null);
    }
  }

  /** Without it a change that was never sent would count as one that may have happened. */
  private void checkOpen(@Nullable Mutation<?> mutation) {
    if (channel.isShutdown()) {
      throw MemslotExceptions.closed(mutation);
    }
  }

  /** With retries gRPC's own check says no more than that the call was cancelled. */
  private void checkSize(Message request, @Nullable Mutation<?> mutation) {
    int size = request.getSerializedSize();
    if (size > settings.messageLimitBytes()) {
      String refused =
          "the request has %d bytes, at most %d are sent: split it, a body has 3,900,000 bytes at most";
      Status status =
          Status.RESOURCE_EXHAUSTED.withDescription(
              refused.formatted(size, settings.messageLimitBytes()));
      throw translated(status.asRuntimeException(), mutation);
    }
  }

  private CallOptions options(Scope scope) {
    CallOptions options = CallOptions.DEFAULT.withOption(SaidInterceptor.SAID, scope.said());
    Duration timeout = scope.timeout();
    if (timeout != null) {
      // Deadlines are below a century, and a Duration may have more nanoseconds than a long holds.
      Duration bounded = timeout.compareTo(LONGEST) < 0 ? timeout : LONGEST;
      options = options.withDeadline(Deadline.after(bounded.toNanos(), TimeUnit.NANOSECONDS));
    }
    return settings.waitForReady() ? options.withWaitForReady() : options;
  }

  private static <Q extends Message, R, T> @Nullable Mutation<T> mutation(Call<Q, R, T> sent) {
    String requestId = RequestIds.of(sent.request());
    return requestId.isEmpty() ? null : new Sent<>(sent, requestId);
  }

  private static <Q extends Message, R> Call<Q, R, R> whole(
      MethodDescriptor<Q, R> method, Q request) {
    Class<R> type = ((ReflectableMarshaller<R>) method.getResponseMarshaller()).getMessageClass();
    return new Call<>(method, request, type, reply -> reply);
  }

  private MemslotException translated(
      StatusRuntimeException error, @Nullable Mutation<?> mutation) {
    if (isCutOff(error)) {
      return MemslotExceptions.closedUnderWay(mutation);
    }
    StatusRuntimeException named =
        BrokenConnection.named(error.getStatus()).asRuntimeException(error.getTrailers());
    return mutation == null ? MemslotExceptions.of(named) : MemslotExceptions.of(named, mutation);
  }

  /** Tells how long a call waited whose own deadline, and not that of a proxy, has passed. */
  private static StatusRuntimeException late(
      StatusRuntimeException error, Scope scope, CallOptions options) {
    Duration timeout = scope.timeout();
    Deadline deadline = options.getDeadline();
    if (timeout == null
        || deadline == null
        || deadline.timeRemaining(TimeUnit.MILLISECONDS) > TIMERS_DIFFER_MS
        || error.getStatus().getCode() != Status.Code.DEADLINE_EXCEEDED
        || !MemslotExceptions.of(error).reason().isEmpty()) {
      return error;
    }
    BigDecimal seconds = BigDecimal.valueOf(timeout.toMillis(), 3).stripTrailingZeros();
    String told =
        "no answer within %s s: raise withTimeout of the memory or timeout of the client"
            .formatted(seconds.toPlainString());
    return Status.DEADLINE_EXCEEDED.withDescription(told).asRuntimeException(error.getTrailers());
  }

  /** Closing the channel ends calls as UNAVAILABLE, in words of gRPC's own. */
  private boolean isCutOff(StatusRuntimeException error) {
    Status.Code code = BrokenConnection.named(error.getStatus()).getCode();
    return channel.isShutdown()
        && (code == Status.Code.UNAVAILABLE || code == Status.Code.CANCELLED)
        && MemslotExceptions.of(error).reason().isEmpty();
  }

  /** Closes the channel; calls under way are cancelled. */
  @Override
  public void close() {
    channel.shutdownNow();
    try {
      channel.awaitTermination(5, TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
