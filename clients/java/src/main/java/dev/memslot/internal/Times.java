package dev.memslot.internal;

import com.google.protobuf.Timestamp;
import java.time.Duration;
import java.time.Instant;

/** Spans and points in time, from messages and back. */
public final class Times {
  private Times() {}

  /** A point in time. */
  public static Instant instant(Timestamp message) {
    return Instant.ofEpochSecond(message.getSeconds(), message.getNanos());
  }

  /** A point in time as a message. */
  public static Timestamp timestamp(Instant instant) {
    return Timestamp.newBuilder()
        .setSeconds(instant.getEpochSecond())
        .setNanos(instant.getNano())
        .build();
  }

  /** A span of time. */
  public static Duration duration(com.google.protobuf.Duration message) {
    return Duration.ofSeconds(message.getSeconds(), message.getNanos());
  }

  /** A span of time as a message, whose nanoseconds have the sign of its seconds. */
  public static com.google.protobuf.Duration duration(Duration span) {
    boolean borrow = span.isNegative() && span.getNano() > 0;
    return com.google.protobuf.Duration.newBuilder()
        .setSeconds(borrow ? span.getSeconds() + 1 : span.getSeconds())
        .setNanos(borrow ? span.getNano() - 1_000_000_000 : span.getNano())
        .build();
  }
}
