package dev.memslot.model;

/** By what the slots of a namespace can be found. */
public enum IndexMode implements Numbered {
  /** Not said, or a value that this client does not know. */
  UNSPECIFIED(0),
  /** Name and metadata. */
  KEYS(1),
  /** Words too. */
  FULLTEXT(2),
  /** Words and vectors. */
  HYBRID(3);

  private final int number;

  IndexMode(int number) {
    this.number = number;
  }

  @Override
  public int number() {
    return number;
  }
}
