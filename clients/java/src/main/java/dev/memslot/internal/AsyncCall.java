package dev.memslot.internal;

import dev.memslot.errors.MemslotException;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A call whose reply completes a future; a future that is completed otherwise cancels the call. */
final class AsyncCall<R, T> extends ClientCall.Listener<R> {
  private final CompletableFuture<T> future;
  private final Function<R, T> parse;
  private final Function<StatusRuntimeException, MemslotException> translate;
  private @Nullable R reply;
  private @Nullable Runnable again;
  private int attempt = 1;
  private volatile boolean closed;

  private AsyncCall(
      CompletableFuture<T> future,
      Function<R, T> parse,
      Function<StatusRuntimeException, MemslotException> translate) {
    this.future = future;
    this.parse = parse;
    this.translate = translate;
  }

  static <Q, R, T> CompletableFuture<T> start(
      CompletionStage<?> ready,
      Supplier<ClientCall<Q, R>> calls,
      Q request,
      Function<R, T> parse,
      Function<StatusRuntimeException, MemslotException> translate) {
    CompletableFuture<T> future = new CompletableFuture<>();
    AsyncCall<R, T> call = new AsyncCall<>(future, parse, translate);
    var unused = ready.whenComplete((state, error) -> call.begin(calls, request, error));
    return future;
  }

  private <Q> void begin(Supplier<ClientCall<Q, R>> calls, Q request, @Nullable Throwable error) {
    if (error != null) {
      future.completeExceptionally(unwrapped(error));
      return;
    }
    if (future.isDone()) {
      return;
    }
    again = () -> begin(calls, request, null);
    try {
      send(calls.get(), request);
    } catch (RuntimeException refused) {
      future.completeExceptionally(refused);
    }
  }

  private <Q> void send(ClientCall<Q, R> call, Q request) {
    var unused =
        future.whenComplete(
            (done, failed) -> {
              if (!closed) {
                call.cancel("nobody waits for the future any more", null);
              }
            });
    call.start(this, new Metadata());
    call.sendMessage(request);
    call.halfClose();
    call.request(2);
  }

  @Override
  public void onMessage(R message) {
    reply = message;
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    R message = reply;
    Runnable repeat = again;
    if (repeat != null && BrokenConnection.isWorthAnother(status, attempt)) {
      attempt++;
      repeat.run();
      return;
    }
    closed = true;
    if (!status.isOk()) {
      future.completeExceptionally(translate.apply(status.asRuntimeException(trailers)));
    } else if (message == null) {
      Status missing = Status.INTERNAL.withDescription("no reply came");
      future.completeExceptionally(translate.apply(missing.asRuntimeException()));
    } else {
      complete(message);
    }
  }

  private void complete(R message) {
    try {
      future.complete(parse.apply(message));
    } catch (RuntimeException unreadable) {
      future.completeExceptionally(unreadable);
    }
  }

  private static Throwable unwrapped(Throwable error) {
    Throwable cause = error.getCause();
    return error instanceof CompletionException && cause != null ? cause : error;
  }
}
