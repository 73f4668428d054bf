package dev.memslot.internal;

import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Keeps the pauses between a channel's attempts to connect short: by themselves they grow to two
 * minutes. Nothing runs while the channel is connected or idle.
 */
final class ShortPauses {
  /** The pauses are 1, 1.6, 2.6 and 4.1 s, a fifth more or less; the next would be above 5 s. */
  static final Duration STARTED_AGAIN = Duration.ofSeconds(9);

  private final ManagedChannel channel;
  private final Duration period;
  private final AtomicBoolean due = new AtomicBoolean();
  private volatile boolean expected;

  private ShortPauses(ManagedChannel channel, Duration period, boolean expected) {
    this.channel = channel;
    this.period = period;
    this.expected = expected;
  }

  /**
   * Watches a channel until it is closed. A server that is not {@code expected} counts once it was
   * there: gRPC logs a stack for each failure to find a host, which may just be misspelt.
   */
  static void keep(ManagedChannel channel, Duration period, boolean expected) {
    new ShortPauses(channel, period, expected).watch(ConnectivityState.SHUTDOWN);
  }

  /**
   * Looks at the state. It is told of changes late: a channel that was not failing and is idle
   * again was connected in between.
   */
  private void watch(ConnectivityState before) {
    ConnectivityState state = channel.getState(false);
    if (state == ConnectivityState.SHUTDOWN) {
      return;
    }
    boolean idleAgain =
        state == ConnectivityState.IDLE
            && (before == ConnectivityState.IDLE || before == ConnectivityState.CONNECTING);
    if (state == ConnectivityState.READY || idleAgain) {
      expected = true;
    }
    startAgainLater(state);
    channel.notifyWhenStateChanged(state, () -> watch(state));
  }

  private void startAgainLater(ConnectivityState state) {
    boolean away = state == ConnectivityState.TRANSIENT_FAILURE && expected;
    if (away && due.compareAndSet(false, true)) {
      CompletableFuture.delayedExecutor(period.toNanos(), TimeUnit.NANOSECONDS)
          .execute(this::startAgain);
    }
  }

  private void startAgain() {
    due.set(false);
    ConnectivityState state = channel.getState(false);
    if (state == ConnectivityState.TRANSIENT_FAILURE) {
      channel.resetConnectBackoff();
    }
    startAgainLater(state);
  }
}
