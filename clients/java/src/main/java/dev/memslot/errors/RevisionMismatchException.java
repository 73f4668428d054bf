package dev.memslot.errors;

/** The slot is not at the expected revision. */
public final class RevisionMismatchException extends AbortedException {
  private static final long serialVersionUID = 1L;

  RevisionMismatchException(Failure failure) {
    super(failure);
  }

  /** The revision that the slot is at; 0 when there is no slot. */
  public long currentRevision() {
    return number("current_revision");
  }
}
