package dev.memslot.errors;

/** NOT_FOUND: what was asked for is not there. */
public class NotFoundException extends MemslotException {
  private static final long serialVersionUID = 1L;

  NotFoundException(Failure failure) {
    super(failure);
  }
}
