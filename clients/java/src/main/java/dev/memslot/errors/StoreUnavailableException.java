package dev.memslot.errors;

/**
 * The store cannot answer now. The server changed nothing; a lost attempt before may have, which
 * {@code memory.retry(error)} settles.
 */
public final class StoreUnavailableException extends UnavailableException {
  private static final long serialVersionUID = 1L;

  StoreUnavailableException(Failure failure) {
    super(failure);
  }
}
