package dev.memslot.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.grpc.ConnectivityState;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class ShortPausesTest {
  /** Far more than are made within a minute when each pause is longer than the one before. */
  private static final int ATTEMPTS = 12;

  /** A server that went away is looked for again and again, after short pauses. */
  @Test
  void wentAway() throws Exception {
    Server server = Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create()).build();
    int port = server.start().getPort();
    ManagedChannel channel = open(port, false);
    try {
      await(channel, true);
      server.shutdownNow().awaitTermination();
      await(channel, false);
      countAttempts(channel, port);
    } finally {
      channel.shutdownNow();
    }
  }

  /** So is one that is waited for from the start. */
  @Test
  void waitedFor() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    ManagedChannel channel = open(port, true);
    try {
      countAttempts(channel, port);
    } finally {
      channel.shutdownNow();
    }
  }

  private static ManagedChannel open(int port, boolean waitForReady) {
    Settings settings =
        new Settings(
            Target.of("127.0.0.1:" + port),
            InsecureChannelCredentials.create(),
            () -> "",
            Said.NOTHING,
            1 << 20,
            waitForReady);
    return Channels.open(settings, Duration.ofMillis(20));
  }

  private static void await(ManagedChannel channel, boolean ready) throws InterruptedException {
    ConnectivityState state = channel.getState(ready);
    while ((state == ConnectivityState.READY) != ready) {
      CountDownLatch changed = new CountDownLatch(1);
      channel.notifyWhenStateChanged(state, changed::countDown);
      changed.await();
      state = channel.getState(ready);
    }
  }

  /** Hangs up on whoever connects, until enough have. */
  private static void countAttempts(ManagedChannel channel, int port) throws IOException {
    int attempts = 0;
    try (ServerSocket listening = new ServerSocket()) {
      listening.setReuseAddress(true);
      listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      listening.setSoTimeout(30_000);
      channel.getState(true);
      while (attempts < ATTEMPTS) {
        listening.accept().close();
        attempts++;
      }
    }
    assertEquals(ATTEMPTS, attempts);
  }
}
