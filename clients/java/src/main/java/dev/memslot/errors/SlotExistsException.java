package dev.memslot.errors;

/** The slot exists though a new one was asked for. */
public final class SlotExistsException extends AlreadyExistsException {
  private static final long serialVersionUID = 1L;

  SlotExistsException(Failure failure) {
    super(failure);
  }

  /** The revision that the slot is at. */
  public long currentRevision() {
    return number("current_revision");
  }
}
