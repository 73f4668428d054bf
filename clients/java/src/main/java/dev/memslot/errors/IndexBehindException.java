package dev.memslot.errors;

/** The index did not reach the revision that was asked for within the call's timeout. */
public final class IndexBehindException extends DeadlineExceededException {
  private static final long serialVersionUID = 1L;

  IndexBehindException(Failure failure) {
    super(failure);
  }

  /** The revision up to which it is complete. */
  public long indexedRevision() {
    return number("indexed_revision");
  }
}
