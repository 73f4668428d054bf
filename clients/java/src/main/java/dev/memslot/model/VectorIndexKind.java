package dev.memslot.model;

/** What compares the vectors of a namespace. */
public enum VectorIndexKind implements Numbered {
  /** Not said, or a value that this client does not know. */
  UNSPECIFIED(0),
  /** Exact, and HNSW when they are many. */
  AUTO(1),
  /** Every vector is compared. */
  EXACT(2),
  /** A graph of neighbours. */
  HNSW(3),
  /** A Chroma server. */
  CHROMA(4),
  /** The extension sqlite-vss. */
  SQLITE_VSS(5);

  private final int number;

  VectorIndexKind(int number) {
    this.number = number;
  }

  @Override
  public int number() {
    return number;
  }
}
