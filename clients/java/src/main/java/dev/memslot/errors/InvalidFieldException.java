package dev.memslot.errors;

/** A request field has a value that can never work. */
public final class InvalidFieldException extends InvalidRequestException {
  private static final long serialVersionUID = 1L;

  InvalidFieldException(Failure failure) {
    super(failure);
  }
}
