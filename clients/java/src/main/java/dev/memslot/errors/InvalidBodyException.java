package dev.memslot.errors;

/** A body is not what its content type says. */
public final class InvalidBodyException extends InvalidRequestException {
  private static final long serialVersionUID = 1L;

  InvalidBodyException(Failure failure) {
    super(failure);
  }
}
