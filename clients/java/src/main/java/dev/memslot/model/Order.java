package dev.memslot.model;

/** In which order a lookup lists. */
public enum Order {
  /** Not said, or a value that this client does not know. */
  UNSPECIFIED,
  /** The highest rank first. */
  RANK,
  /** By name. */
  NAME,
  /** The latest change first. */
  UPDATED,
  /** The oldest slot first. */
  CREATED,
  /** The latest access first. */
  ACCESSED,
  /** The soonest expiry first. */
  EXPIRES,
  /** The largest body first. */
  SIZE
}
