package dev.memslot.errors;

/** What makes vectors of texts cannot be reached: search by words, or send a vector. */
public final class EmbedderUnavailableException extends IndexUnavailableException {
  private static final long serialVersionUID = 1L;

  EmbedderUnavailableException(Failure failure) {
    super(failure);
  }
}
