package dev.memslot.errors;

/** A filter is empty, too deep, or compares with NaN. */
public final class InvalidFilterException extends InvalidRequestException {
  private static final long serialVersionUID = 1L;

  InvalidFilterException(Failure failure) {
    super(failure);
  }
}
