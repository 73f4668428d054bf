package dev.memslot.model;

/** What a mutation did to one slot. */
public enum Outcome implements Numbered {
  /** Not said, or a value that this client does not know. */
  UNSPECIFIED(0),
  /** The slot did not exist, and does now. */
  CREATED(1),
  /** The body was replaced. */
  OVERWRITTEN(2),
  /** The body was extended. */
  APPENDED(3),
  /** The JSON body was changed by a merge patch. */
  PATCHED(4),
  /** Metadata or expiry changed, the body did not. */
  UPDATED(5),
  /** The same bytes and metadata were there already. */
  UNCHANGED(6),
  /** The slot existed, and is gone. */
  FORGOTTEN(7),
  /** There was nothing to forget. */
  ABSENT(8),
  /** A check of a commit held. */
  CHECKED(9);

  private final int number;

  Outcome(int number) {
    this.number = number;
  }

  @Override
  public int number() {
    return number;
  }
}
