package dev.memslot;

import java.time.Duration;
import java.util.List;

/** How an attempt at a task begins and ends. */
public final class TaskOptions {
  private static final Duration RETAIN_FAILED = Duration.ofHours(1);

  private long attempt;
  private List<String> carryOver = List.of();
  private Duration retain = Duration.ZERO;
  private Duration retainFailed = RETAIN_FAILED;

  TaskOptions() {}

  /** Which attempt, from 1; the one after the last when it is not said. */
  public TaskOptions attempt(long number) {
    if (number < 1) {
      throw new IllegalArgumentException(
          "attempt is %d: attempts count from 1; leave it out for the next one".formatted(number));
    }
    attempt = number;
    return this;
  }

  /** Slots of the attempt before that move into this one, at most 128; the rest is forgotten. */
  public TaskOptions carryOver(String... names) {
    carryOver = List.of(names);
    return this;
  }

  /** How long the attempt's slots are kept when it has ended well; not at all when not said. */
  public TaskOptions retain(Duration span) {
    retain = span;
    return this;
  }

  /** How long they are kept when it has failed; an hour when it is not said. */
  public TaskOptions retainFailed(Duration span) {
    retainFailed = span;
    return this;
  }

  long attempt() {
    return attempt;
  }

  List<String> carryOver() {
    return carryOver;
  }

  Duration retain(boolean failed) {
    return failed ? retainFailed : retain;
  }
}
