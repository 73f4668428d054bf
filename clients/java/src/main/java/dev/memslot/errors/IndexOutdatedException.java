package dev.memslot.errors;

/**
 * The namespace's vectors were made by another model than the server has now: {@code
 * admin().reindex} makes them anew.
 */
public final class IndexOutdatedException extends FailedPreconditionException {
  private static final long serialVersionUID = 1L;

  IndexOutdatedException(Failure failure) {
    super(failure);
  }

  /** The model that made the vectors. */
  public String madeBy() {
    return text("made_by");
  }

  /** The model that the server has now. */
  public String configured() {
    return text("configured");
  }
}
