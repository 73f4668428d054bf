package dev.memslot.errors;

/** RESOURCE_EXHAUSTED: a limit was reached. */
public class ResourceExhaustedException extends MemslotException {
  private static final long serialVersionUID = 1L;

  ResourceExhaustedException(Failure failure) {
    super(failure);
  }
}
