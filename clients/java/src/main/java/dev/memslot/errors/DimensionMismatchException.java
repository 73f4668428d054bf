package dev.memslot.errors;

/** A vector has another dimension than those of the namespace. */
public final class DimensionMismatchException extends InvalidRequestException {
  private static final long serialVersionUID = 1L;

  DimensionMismatchException(Failure failure) {
    super(failure);
  }

  /** The dimension of the namespace's vectors. */
  public long expected() {
    return number("expected");
  }

  /** The dimension of the vector that was sent. */
  public long given() {
    return number("given");
  }
}
