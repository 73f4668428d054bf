package dev.memslot.errors;

/**
 * INTERNAL: the server failed in a way that it did not foresee; its log tells more under {@link
 * #errorId()}.
 */
public final class InternalException extends MemslotException {
  private static final long serialVersionUID = 1L;

  InternalException(Failure failure) {
    super(failure);
  }

  /** The id under which the server logged the failure, or empty. */
  public String errorId() {
    return text("error_id");
  }
}
