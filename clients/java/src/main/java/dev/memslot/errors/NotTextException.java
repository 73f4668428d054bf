package dev.memslot.errors;

/** The body is no text, and the slot has no summary. */
public final class NotTextException extends FailedPreconditionException {
  private static final long serialVersionUID = 1L;

  NotTextException(Failure failure) {
    super(failure);
  }
}
