package dev.memslot.errors;

/**
 * The namespace keeps no index of the kind that the call needs; the message tells how to enable it.
 */
public final class IndexNotEnabledException extends FailedPreconditionException {
  private static final long serialVersionUID = 1L;

  IndexNotEnabledException(Failure failure) {
    super(failure);
  }
}
