package dev.memslot.model;

/** By what a search finds. */
public enum SearchMode implements Numbered {
  /** Not said, or a value that this client does not know. */
  UNSPECIFIED(0),
  /** All that the namespace's index and the request allow. */
  AUTO(1),
  /** Words. */
  FULLTEXT(2),
  /** Meaning. */
  VECTOR(3),
  /** Both. */
  HYBRID(4);

  private final int number;

  SearchMode(int number) {
    this.number = number;
  }

  @Override
  public int number() {
    return number;
  }
}
