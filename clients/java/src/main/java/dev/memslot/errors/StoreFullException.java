package dev.memslot.errors;

/** The store, a root of it, or the disk is full. */
public final class StoreFullException extends ResourceExhaustedException {
  private static final long serialVersionUID = 1L;

  StoreFullException(Failure failure) {
    super(failure);
  }
}
