package dev.memslot.errors;

/** The server refused the call because it has too much to do; it was not begun. */
public final class OverloadedException extends UnavailableException {
  private static final long serialVersionUID = 1L;

  OverloadedException(Failure failure) {
    super(failure);
  }
}
