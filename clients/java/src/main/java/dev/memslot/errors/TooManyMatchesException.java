package dev.memslot.errors;

/** More slots match than the caller allows; nothing was forgotten. */
public final class TooManyMatchesException extends FailedPreconditionException {
  private static final long serialVersionUID = 1L;

  TooManyMatchesException(Failure failure) {
    super(failure);
  }

  /** How many slots match. */
  public long matches() {
    return number("matches");
  }
}
