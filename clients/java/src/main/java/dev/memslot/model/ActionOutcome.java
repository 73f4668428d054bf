package dev.memslot.model;

/** How an action of a model ended. */
public enum ActionOutcome {
  /** Not said, or a value that this client does not know. */
  UNSPECIFIED,
  /** It could be executed, and was not, as only validating was asked for. */
  VALID,
  /** It was executed. */
  DONE,
  /** There is no such slot. */
  NOT_FOUND,
  /** It was not executed. */
  REFUSED
}
