package dev.memslot.internal;

import dev.memslot.errors.MemslotException;
import dev.memslot.errors.MemslotExceptions;
import dev.memslot.errors.Mutation;
import io.grpc.ConnectivityState;
import io.grpc.Deadline;
import io.grpc.ManagedChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Tells a sidecar that was never there from one that went away: until a channel was connected once,
 * nothing can have been sent, so the outcome of a call that finds nobody is known.
 */
final class FirstContact {
  private final ManagedChannel channel;
  private final Target target;
  private final boolean waitForReady;
  private volatile boolean made;

  FirstContact(ManagedChannel channel, Target target, boolean waitForReady) {
    this.channel = channel;
    this.target = target;
    this.waitForReady = waitForReady;
  }

  void await(@Nullable Deadline deadline, @Nullable Mutation<?> mutation) {
    if (made) {
      hurry();
      return;
    }
    CompletableFuture<Void> waiting = awaitAsync(deadline, mutation);
    try {
      waiting.get();
    } catch (ExecutionException error) {
      throw error.getCause() instanceof MemslotException known
          ? known
          : new IllegalStateException(error.getCause());
    } catch (InterruptedException interrupted) {
      waiting.cancel(false);
      Thread.currentThread().interrupt();
      throw MemslotExceptions.unreachable(target.toString(), "interrupted", mutation);
    }
  }

  CompletableFuture<Void> awaitAsync(@Nullable Deadline deadline, @Nullable Mutation<?> mutation) {
    if (made) {
      hurry();
      return CompletableFuture.completedFuture(null);
    }
    CompletableFuture<Void> ready = new CompletableFuture<>();
    watch(ready);
    CompletableFuture<Void> bounded =
        deadline == null
            ? ready
            : ready.orTimeout(
                Math.max(0, deadline.timeRemaining(TimeUnit.NANOSECONDS)), TimeUnit.NANOSECONDS);
    return bounded.handle(
        (nothing, error) -> {
          if (error != null) {
            throw new CompletionException(
                MemslotExceptions.unreachable(target.toString(), why(error), mutation));
          }
          return nothing;
        });
  }

  private void watch(CompletableFuture<Void> ready) {
    if (ready.isDone()) {
      return;
    }
    ConnectivityState state = channel.getState(true);
    switch (state) {
      case READY -> {
        made = true;
        ready.complete(null);
      }
      case SHUTDOWN -> ready.completeExceptionally(new IllegalStateException("closed"));
      case TRANSIENT_FAILURE -> {
        if (waitForReady) {
          channel.notifyWhenStateChanged(state, () -> watch(ready));
        } else {
          ready.completeExceptionally(new IllegalStateException("nobody listens"));
        }
      }
      default -> channel.notifyWhenStateChanged(state, () -> watch(ready));
    }
  }

  /** A sidecar that comes back is found at once, not after the channel's growing pause. */
  private void hurry() {
    if (channel.getState(false) == ConnectivityState.TRANSIENT_FAILURE) {
      channel.resetConnectBackoff();
    }
  }

  private static String why(Throwable error) {
    return error instanceof TimeoutException ? "no connection in time" : error.getMessage();
  }
}
