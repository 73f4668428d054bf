package dev.memslot.errors;

/** No connection to the sidecar could be made: nothing was sent, so nothing happened. */
public final class UnreachableException extends UnavailableException {
  private static final long serialVersionUID = 1L;

  UnreachableException(Failure failure) {
    super(failure);
  }
}
