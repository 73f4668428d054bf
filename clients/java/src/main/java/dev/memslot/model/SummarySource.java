package dev.memslot.model;

/** How a summary was made. */
public enum SummarySource implements Numbered {
  /** Not said, or a value that this client does not know. */
  UNSPECIFIED(0),
  /** Sent by the body's writer. */
  WRITER(1),
  /** Whole sentences of the body, chosen without a model. */
  EXTRACTIVE(2),
  /** Written by a language model. */
  MODEL(3);

  private final int number;

  SummarySource(int number) {
    this.number = number;
  }

  @Override
  public int number() {
    return number;
  }
}
