package dev.memslot.errors;

/** FAILED_PRECONDITION: it cannot work in the present state. */
public class FailedPreconditionException extends MemslotException {
  private static final long serialVersionUID = 1L;

  FailedPreconditionException(Failure failure) {
    super(failure);
  }
}
