package dev.memslot.errors;

/** The attempt of a task is over, or has not begun; nothing was changed. */
public final class StaleAttemptException extends FailedPreconditionException {
  private static final long serialVersionUID = 1L;

  StaleAttemptException(Failure failure) {
    super(failure);
  }

  /** The present attempt of the task; 0 when there is no such task. */
  public long currentAttempt() {
    return number("current_attempt");
  }
}
