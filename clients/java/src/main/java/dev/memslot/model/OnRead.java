package dev.memslot.model;

/** Where a body goes that a model asks to read. */
public enum OnRead {
  /** Not said, or a value that this client does not know. */
  UNSPECIFIED,
  /** To the application alone. */
  APPLICATION,
  /** Also into a text to be shown to the model once. */
  SHOW_ONCE
}
