package dev.memslot.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status;
import java.nio.channels.ClosedChannelException;
import org.junit.jupiter.api.Test;

final class BrokenConnectionTest {
  /** A connection that broke under a request is UNAVAILABLE, and the call is made again. */
  @Test
  void broken() {
    Status broken = Status.UNKNOWN.withCause(new ClosedChannelException());
    assertTrue(BrokenConnection.isWorthAnother(broken, 1));
    assertFalse(BrokenConnection.isWorthAnother(broken, 5));
    assertEquals(Status.Code.UNAVAILABLE, BrokenConnection.named(broken).getCode());
  }

  /** What a server calls UNKNOWN stays so. */
  @Test
  void unknown() {
    Status said = Status.UNKNOWN.withDescription("said");
    assertFalse(BrokenConnection.isWorthAnother(said, 1));
    assertEquals(said, BrokenConnection.named(said));
  }
}
