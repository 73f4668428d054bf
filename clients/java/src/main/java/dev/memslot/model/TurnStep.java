package dev.memslot.model;

/** One of the five steps of a turn. */
public enum TurnStep implements Numbered {
  /** A value that this client does not know. */
  UNSPECIFIED(0),
  /** The raw output of the model. */
  OUTPUT(1),
  /** What was found in it. */
  PARSE(2),
  /** What was done to the store. */
  STORE(3),
  /** The next prompt. */
  PROMPT(4),
  /** The tokens. */
  TOKENS(5);

  private final int number;

  TurnStep(int number) {
    this.number = number;
  }

  @Override
  public int number() {
    return number;
  }
}
