package dev.memslot.model;

/** Whether memory outside the prompt pays. */
public enum Verdict implements Numbered {
  /** Nothing was recorded, or a value that this client does not know. */
  UNSPECIFIED(0),
  /** Memslot is cheaper than inlining every live body. */
  MEMSLOT_CHEAPER(1),
  /** Inlining is cheaper here. */
  INLINING_CHEAPER(2);

  private final int number;

  Verdict(int number) {
    this.number = number;
  }

  @Override
  public int number() {
    return number;
  }
}
