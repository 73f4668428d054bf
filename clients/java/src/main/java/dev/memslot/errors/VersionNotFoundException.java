package dev.memslot.errors;

/** The slot does not keep this version (any more). */
public final class VersionNotFoundException extends NotFoundException {
  private static final long serialVersionUID = 1L;

  VersionNotFoundException(Failure failure) {
    super(failure);
  }
}
