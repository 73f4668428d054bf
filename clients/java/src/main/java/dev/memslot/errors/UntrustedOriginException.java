package dev.memslot.errors;

/** A tool or a model wrote the body, or nobody says who, and the call wants no such body. */
public final class UntrustedOriginException extends PermissionDeniedException {
  private static final long serialVersionUID = 1L;

  UntrustedOriginException(Failure failure) {
    super(failure);
  }
}
