package dev.memslot.errors;

/** UNAVAILABLE: the sidecar could not answer, also after retries. */
public class UnavailableException extends MemslotException {
  private static final long serialVersionUID = 1L;

  UnavailableException(Failure failure) {
    super(failure);
  }
}
