package dev.memslot.errors;

/** The body is larger than the namespace allows: split it or raise body_limit_bytes. */
public final class BodyTooLargeException extends InvalidRequestException {
  private static final long serialVersionUID = 1L;

  BodyTooLargeException(Failure failure) {
    super(failure);
  }

  /** Size of the body in bytes. */
  public long size() {
    return number("size");
  }

  /** What the namespace allows, in bytes. */
  public long limit() {
    return number("limit");
  }
}
