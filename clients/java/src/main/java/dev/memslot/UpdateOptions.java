package dev.memslot;

import dev.memslot.model.Value;
import java.util.Optional;

/** How a compare-and-set goes. */
public final class UpdateOptions {
  private static final int ATTEMPTS = 20;

  private Optional<Value> initial = Optional.empty();
  private int attempts = ATTEMPTS;

  UpdateOptions() {}

  /** A missing slot is created from the change of this value; otherwise it is an error. */
  public UpdateOptions initial(Value value) {
    initial = Optional.of(value);
    return this;
  }

  /** How often to try while other writers come between; 20 when it is not said. */
  public UpdateOptions attempts(int most) {
    if (most < 1) {
      throw new IllegalArgumentException("attempts is %d: at least one is needed".formatted(most));
    }
    attempts = most;
    return this;
  }

  Optional<Value> initial() {
    return initial;
  }

  int attempts() {
    return attempts;
  }
}
