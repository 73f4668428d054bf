package dev.memslot.errors;

/** UNAUTHENTICATED: the caller showed no valid credentials. */
public final class UnauthenticatedException extends MemslotException {
  private static final long serialVersionUID = 1L;

  UnauthenticatedException(Failure failure) {
    super(failure);
  }
}
