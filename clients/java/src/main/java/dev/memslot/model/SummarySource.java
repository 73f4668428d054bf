package dev.memslot.model;

/** How a summary was made. */
public enum SummarySource {
  /** Not said, or a value that this client does not know. */
  UNSPECIFIED,
  /** Sent by the body's writer. */
  WRITER,
  /** Whole sentences of the body, chosen without a model. */
  EXTRACTIVE,
  /** Written by a language model. */
  MODEL
}
