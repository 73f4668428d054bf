package dev.memslot.model;

/** In which order a lookup lists. */
public enum Order implements Numbered {
  /** Not said, or a value that this client does not know. */
  UNSPECIFIED(0),
  /** The highest rank first. */
  RANK(1),
  /** By name. */
  NAME(2),
  /** The latest change first. */
  UPDATED(3),
  /** The oldest slot first. */
  CREATED(4),
  /** The latest access first. */
  ACCESSED(5),
  /** The soonest expiry first. */
  EXPIRES(6),
  /** The largest body first. */
  SIZE(7);

  private final int number;

  Order(int number) {
    this.number = number;
  }

  @Override
  public int number() {
    return number;
  }
}
