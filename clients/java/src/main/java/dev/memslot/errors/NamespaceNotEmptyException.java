package dev.memslot.errors;

/** The namespace holds slots: delete it with {@code force}. */
public final class NamespaceNotEmptyException extends FailedPreconditionException {
  private static final long serialVersionUID = 1L;

  NamespaceNotEmptyException(Failure failure) {
    super(failure);
  }
}
