package dev.memslot.errors;

/** The index cannot answer now, also after retries. */
public class IndexUnavailableException extends UnavailableException {
  private static final long serialVersionUID = 1L;

  IndexUnavailableException(Failure failure) {
    super(failure);
  }
}
