package dev.memslot.errors;

/** DEADLINE_EXCEEDED: no answer came within the call's timeout. */
public class DeadlineExceededException extends MemslotException {
  private static final long serialVersionUID = 1L;

  DeadlineExceededException(Failure failure) {
    super(failure);
  }
}
