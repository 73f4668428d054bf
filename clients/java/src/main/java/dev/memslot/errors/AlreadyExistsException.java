package dev.memslot.errors;

/** ALREADY_EXISTS: what was to be created is there. */
public class AlreadyExistsException extends MemslotException {
  private static final long serialVersionUID = 1L;

  AlreadyExistsException(Failure failure) {
    super(failure);
  }
}
