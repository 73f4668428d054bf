package dev.memslot.model;

/** What compares the vectors of a namespace. */
public enum VectorIndexKind {
  /** Not said, or a value that this client does not know. */
  UNSPECIFIED,
  /** Exact, and HNSW when they are many. */
  AUTO,
  /** Every vector is compared. */
  EXACT,
  /** A graph of neighbours. */
  HNSW,
  /** A Chroma server. */
  CHROMA,
  /** The extension sqlite-vss. */
  SQLITE_VSS
}
