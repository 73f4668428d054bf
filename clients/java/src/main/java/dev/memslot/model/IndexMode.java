package dev.memslot.model;

/** By what the slots of a namespace can be found. */
public enum IndexMode {
  /** Not said, or a value that this client does not know. */
  UNSPECIFIED,
  /** Name and metadata. */
  KEYS,
  /** Words too. */
  FULLTEXT,
  /** Words and vectors. */
  HYBRID
}
