package dev.memslot.model;

/** What happens when a namespace is full. */
public enum Overflow implements Numbered {
  /** Not said, or a value that this client does not know. */
  UNSPECIFIED(0),
  /** Writing a new slot is refused. */
  REJECT(1),
  /** The slot of the lowest rank makes room. */
  EVICT_LOWEST_RANK(2);

  private final int number;

  Overflow(int number) {
    this.number = number;
  }

  @Override
  public int number() {
    return number;
  }
}
