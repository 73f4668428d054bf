package dev.memslot.errors;

/** The store lives in RAM and has no file to copy. */
public final class BackupUnsupportedException extends FailedPreconditionException {
  private static final long serialVersionUID = 1L;

  BackupUnsupportedException(Failure failure) {
    super(failure);
  }
}
