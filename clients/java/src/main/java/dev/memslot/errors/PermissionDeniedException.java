package dev.memslot.errors;

/** PERMISSION_DENIED: the caller may not do this. */
public class PermissionDeniedException extends MemslotException {
  private static final long serialVersionUID = 1L;

  PermissionDeniedException(Failure failure) {
    super(failure);
  }
}
