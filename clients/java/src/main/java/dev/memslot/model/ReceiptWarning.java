package dev.memslot.model;

/** What a caller should know though the call succeeded. */
public enum ReceiptWarning implements Numbered {
  /** Not said, or a value that this client does not know. */
  UNSPECIFIED(0),
  /** The namespace holds at least 80 % of its slot limit. */
  SLOT_LIMIT_NEAR(1),
  /** The expiry asked for was beyond what the namespace allows, and was clamped to it. */
  TTL_CLAMPED(2);

  private final int number;

  ReceiptWarning(int number) {
    this.number = number;
  }

  @Override
  public int number() {
    return number;
  }
}
