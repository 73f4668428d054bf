package dev.memslot.errors;

/** DATA_LOSS: the store's files are damaged. */
public final class StoreCorruptException extends MemslotException {
  private static final long serialVersionUID = 1L;

  StoreCorruptException(Failure failure) {
    super(failure);
  }
}
