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

  /**
   * Returns when the channel was connected once; throws Unreachable- or ClientClosedException, and
   * CANCELLED for an interrupted thread.
   */
  void await(@Nullable Deadline deadline, @Nullable Mutation<?> mutation) {
    if (Thread.currentThread().isInterrupted()) {
      throw MemslotExceptions.interrupted(mutation);
    }
    if (made) {
      hurry();
      return;
    }
    CompletableFuture<ConnectivityState> waiting = awaitAsync(deadline, mutation);
    try {
      waiting.get();
    } catch (ExecutionException error) {
      throw error.getCause() instanceof MemslotException known
          ? known
          : new IllegalStateException(error.getCause());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw MemslotExceptions.interrupted(mutation);
    }
  }

  /** The same without waiting. */
  CompletableFuture<ConnectivityState> awaitAsync(
      @Nullable Deadline deadline, @Nullable Mutation<?> mutation) {
    if (made) {
      hurry();
      return CompletableFuture.completedFuture(ConnectivityState.READY);
    }
    CompletableFuture<ConnectivityState> ready = new CompletableFuture<>();
    watch(ready);
    if (deadline != null) {
      long left = Math.max(0, deadline.timeRemaining(TimeUnit.NANOSECONDS));
      ready.completeOnTimeout(ConnectivityState.CONNECTING, left, TimeUnit.NANOSECONDS);
    }
    return ready.handle(
        (state, error) -> {
          if (channel.isShutdown()) {
            throw new CompletionException(MemslotExceptions.closed(mutation));
          }
          if (error == null && state == ConnectivityState.READY) {
            made = true;
            return state;
          }
          String why = error == null ? "no connection in time" : error.getMessage();
          throw new CompletionException(
              MemslotExceptions.unreachable(target.toString(), String.valueOf(why), mutation));
        });
  }

  private void watch(CompletableFuture<ConnectivityState> ready) {
    if (ready.isDone()) {
      return;
    }
    ConnectivityState state = channel.getState(true);
    if (state == ConnectivityState.READY || state == ConnectivityState.SHUTDOWN) {
      ready.complete(state);
    } else if (state == ConnectivityState.TRANSIENT_FAILURE && !waitForReady) {
      Greeting.send(channel, ready);
    } else {
      channel.notifyWhenStateChanged(state, () -> watch(ready));
    }
  }

  /** A sidecar that comes back is found at once, not after the channel's growing pause. */
  private void hurry() {
    if (channel.getState(false) == ConnectivityState.TRANSIENT_FAILURE) {
      channel.resetConnectBackoff();
    }
  }
}
