package dev.memslot.model;

/** Of which bodies summaries are made, and how. */
public enum SummaryMode implements Numbered {
  /** Not said, or a value that this client does not know. */
  UNSPECIFIED(0),
  /** None. */
  OFF(1),
  /** Whole sentences are chosen, without a model. */
  EXTRACTIVE(2),
  /** The server's language model writes them. */
  MODEL(3);

  private final int number;

  SummaryMode(int number) {
    this.number = number;
  }

  @Override
  public int number() {
    return number;
  }
}
