package dev.memslot.errors;

/** UNIMPLEMENTED: the server is older than the client, or is no memslot sidecar. */
public final class UnimplementedException extends MemslotException {
  private static final long serialVersionUID = 1L;

  UnimplementedException(Failure failure) {
    super(failure);
  }
}
