package dev.memslot.model;

/** What led to a hit. */
public enum Match {
  /** Not said, or a value that this client does not know. */
  UNSPECIFIED,
  /** Words of the name. */
  NAME,
  /** Words of the description. */
  DESCRIPTION,
  /** Words of the tags. */
  TAGS,
  /** Words of the task type. */
  TASK_TYPE,
  /** Words of the body. */
  BODY,
  /** The similarity of its vector. */
  VECTOR,
  /** The score of slots that were written next to it. */
  NEIGHBOR
}
