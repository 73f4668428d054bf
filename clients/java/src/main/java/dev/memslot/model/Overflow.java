package dev.memslot.model;

/** What happens when a namespace is full. */
public enum Overflow {
  /** Not said, or a value that this client does not know. */
  UNSPECIFIED,
  /** Writing a new slot is refused. */
  REJECT,
  /** The slot of the lowest rank makes room. */
  EVICT_LOWEST_RANK
}
