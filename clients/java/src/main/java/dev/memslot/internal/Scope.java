package dev.memslot.internal;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What holds for a call: who asks, and how long to wait; null waits without bound. */
public record Scope(Said said, @Nullable Duration timeout) {
  /**
   * The same with another timeout.
   *
   * @throws IllegalArgumentException unless it is positive
   */
  public Scope within(Duration other) {
    if (other.isZero() || other.isNegative()) {
      throw new IllegalArgumentException("a timeout must be positive");
    }
    return new Scope(said, other);
  }

  /** The same said by somebody else. */
  public Scope said(Said other) {
    return new Scope(other, timeout);
  }
}
