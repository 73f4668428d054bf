package dev.memslot.errors;

/** A page token does not belong to this query. */
public final class InvalidPageTokenException extends InvalidRequestException {
  private static final long serialVersionUID = 1L;

  InvalidPageTokenException(Failure failure) {
    super(failure);
  }
}
