package dev.memslot.model;

/** Of which bodies summaries are made, and how. */
public enum SummaryMode {
  /** Not said, or a value that this client does not know. */
  UNSPECIFIED,
  /** None. */
  OFF,
  /** Whole sentences are chosen, without a model. */
  EXTRACTIVE,
  /** The server's language model writes them. */
  MODEL
}
