package dev.memslot.model;

/** Where a body goes that a model asks to read. */
public enum OnRead implements Numbered {
  /** Not said, or a value that this client does not know. */
  UNSPECIFIED(0),
  /** To the application alone. */
  APPLICATION(1),
  /** Also into a text to be shown to the model once. */
  SHOW_ONCE(2);

  private final int number;

  OnRead(int number) {
    this.number = number;
  }

  @Override
  public int number() {
    return number;
  }
}
