package dev.memslot.internal;

import io.grpc.Status;
import java.nio.channels.ClosedChannelException;

/**
 * A connection that broke just when a request was written: grpc-java tells it as UNKNOWN, which the
 * service config does not repeat, though it is as UNAVAILABLE as any.
 */
final class BrokenConnection {
  private static final int ATTEMPTS = 5;

  private BrokenConnection() {}

  /** Whether a call that ended so shall be made again: at once, on a new connection. */
  static boolean isWorthAnother(Status status, int attempt) {
    return attempt < ATTEMPTS && isMeant(status);
  }

  /** What it is. */
  static Status named(Status status) {
    return isMeant(status)
        ? Status.UNAVAILABLE.withDescription("the connection broke").withCause(status.getCause())
        : status;
  }

  private static boolean isMeant(Status status) {
    return status.getCode() == Status.Code.UNKNOWN
        && status.getCause() instanceof ClosedChannelException;
  }
}
