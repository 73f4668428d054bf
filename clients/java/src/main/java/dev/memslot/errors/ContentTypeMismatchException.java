package dev.memslot.errors;

/** Appending or patching does not fit the slot's content type. */
public final class ContentTypeMismatchException extends FailedPreconditionException {
  private static final long serialVersionUID = 1L;

  ContentTypeMismatchException(Failure failure) {
    super(failure);
  }
}
