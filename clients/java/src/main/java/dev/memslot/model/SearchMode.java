package dev.memslot.model;

/** By what a search finds. */
public enum SearchMode {
  /** Not said, or a value that this client does not know. */
  UNSPECIFIED,
  /** All that the namespace's index and the request allow. */
  AUTO,
  /** Words. */
  FULLTEXT,
  /** Meaning. */
  VECTOR,
  /** Both. */
  HYBRID
}
