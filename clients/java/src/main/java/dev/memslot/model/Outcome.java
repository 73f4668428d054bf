package dev.memslot.model;

/** What a mutation did to one slot. */
public enum Outcome {
  /** Not said, or a value that this client does not know. */
  UNSPECIFIED,
  /** The slot did not exist, and does now. */
  CREATED,
  /** The body was replaced. */
  OVERWRITTEN,
  /** The body was extended. */
  APPENDED,
  /** The JSON body was changed by a merge patch. */
  PATCHED,
  /** Metadata or expiry changed, the body did not. */
  UPDATED,
  /** The same bytes and metadata were there already. */
  UNCHANGED,
  /** The slot existed, and is gone. */
  FORGOTTEN,
  /** There was nothing to forget. */
  ABSENT,
  /** A check of a commit held. */
  CHECKED
}
