package dev.memslot.errors;

/** The namespace holds nothing and is not configured. */
public final class NamespaceNotFoundException extends NotFoundException {
  private static final long serialVersionUID = 1L;

  NamespaceNotFoundException(Failure failure) {
    super(failure);
  }
}
