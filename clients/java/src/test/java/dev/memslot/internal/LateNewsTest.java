package dev.memslot.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A channel tells of its changes late: what happened in between is not lost. */
final class LateNewsTest {
  /** A server that was there and went away before anybody looked is expected again. */
  @Test
  void connectedUnseen() throws InterruptedException {
    LateChannel channel = new LateChannel();
    ShortPauses.keep(channel, Duration.ofMillis(1), false);
    channel.turns(ConnectivityState.CONNECTING);
    channel.turns(ConnectivityState.IDLE);
    channel.turns(ConnectivityState.TRANSIENT_FAILURE);
    assertTrue(channel.startedAgain.await(20, TimeUnit.SECONDS));
  }

  /** One that was never there is not. */
  @Test
  void neverConnected() {
    LateChannel channel = new LateChannel();
    ShortPauses.keep(channel, Duration.ofMillis(1), false);
    channel.turns(ConnectivityState.CONNECTING);
    channel.turns(ConnectivityState.TRANSIENT_FAILURE);
    channel.turns(ConnectivityState.SHUTDOWN);
    assertEquals(1, channel.startedAgain.getCount());
    assertEquals(0, channel.listeners.size());
  }

  /** A channel whose states are set, each told when it is the present one already. */
  private static final class LateChannel extends ManagedChannel {
    private final CountDownLatch startedAgain = new CountDownLatch(1);
    private final Queue<Runnable> listeners = new ArrayDeque<>();
    private ConnectivityState state = ConnectivityState.IDLE;

    void turns(ConnectivityState next) {
      state = next;
      listeners.remove().run();
    }

    @Override
    public ConnectivityState getState(boolean requestConnection) {
      return state;
    }

    @Override
    public void notifyWhenStateChanged(ConnectivityState source, Runnable callback) {
      listeners.add(callback);
    }

    @Override
    public void resetConnectBackoff() {
      startedAgain.countDown();
    }

    @Override
    public <Q, R> ClientCall<Q, R> newCall(MethodDescriptor<Q, R> method, CallOptions options) {
      throw new UnsupportedOperationException();
    }

    @Override
    public String authority() {
      return "";
    }

    @Override
    public ManagedChannel shutdown() {
      return this;
    }

    @Override
    public ManagedChannel shutdownNow() {
      return this;
    }

    @Override
    public boolean isShutdown() {
      return false;
    }

    @Override
    public boolean isTerminated() {
      return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
      return true;
    }
  }
}
