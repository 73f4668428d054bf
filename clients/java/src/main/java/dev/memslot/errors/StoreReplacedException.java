package dev.memslot.errors;

/** A page token belongs to another store, or to the store before a restore: begin again. */
public final class StoreReplacedException extends FailedPreconditionException {
  private static final long serialVersionUID = 1L;

  StoreReplacedException(Failure failure) {
    super(failure);
  }
}
