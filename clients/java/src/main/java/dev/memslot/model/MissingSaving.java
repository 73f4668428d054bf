package dev.memslot.model;

/** Why a saving is missing, or smaller than it could be. */
public enum MissingSaving implements Numbered {
  /** A value that this client does not know. */
  UNSPECIFIED(0),
  /** Bodies came back into the history. */
  RESULTS_IN_HISTORY(1),
  /** The card and the schemas are a large part of what could be saved. */
  INSTRUCTION_TOO_LONG(2),
  /** The model writes many whole bodies. */
  MANY_FULL_ACTIONS(3);

  private final int number;

  MissingSaving(int number) {
    this.number = number;
  }

  @Override
  public int number() {
    return number;
  }
}
