package dev.memslot.errors;

/**
 * A mutation was sent and no answer came, also after retries: it may have happened or not. {@code
 * memory.retry(error)} repeats it under the same request id: if it had happened it returns the
 * first answer and changes nothing. That works for ten minutes. The cause is the failure of the
 * last attempt, and {@link #code()} its code.
 */
public final class OutcomeUnknownException extends MemslotException {
  private static final long serialVersionUID = 1L;

  OutcomeUnknownException(Failure failure) {
    super(failure);
  }
}
