package dev.memslot.errors;

import java.util.List;

/** The namespace is full: forget a slot, raise slot_limit, or let it evict. */
public final class SlotLimitReachedException extends ResourceExhaustedException {
  private static final long serialVersionUID = 1L;

  SlotLimitReachedException(Failure failure) {
    super(failure);
  }

  /** How many slots it holds. */
  public long used() {
    return number("used");
  }

  /** How many slots it may hold. */
  public long limit() {
    return number("limit");
  }

  /** Names of up to three slots of the lowest rank. */
  public List<String> lowestRanked() {
    return texts("lowest_ranked");
  }
}
