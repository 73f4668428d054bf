package dev.memslot.model;

/** How an action of a model ended. */
public enum ActionOutcome implements Numbered {
  /** Not said, or a value that this client does not know. */
  UNSPECIFIED(0),
  /** It could be executed, and was not, as only validating was asked for. */
  VALID(1),
  /** It was executed. */
  DONE(2),
  /** There is no such slot. */
  NOT_FOUND(3),
  /** It was not executed. */
  REFUSED(4);

  private final int number;

  ActionOutcome(int number) {
    this.number = number;
  }

  @Override
  public int number() {
    return number;
  }
}
