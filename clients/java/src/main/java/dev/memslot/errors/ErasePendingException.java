package dev.memslot.errors;

/**
 * The slots are forgotten; wiping their bytes waits and resumes by itself. Nothing has to be
 * repeated.
 */
public final class ErasePendingException extends UnavailableException {
  private static final long serialVersionUID = 1L;

  ErasePendingException(Failure failure) {
    super(failure);
  }
}
