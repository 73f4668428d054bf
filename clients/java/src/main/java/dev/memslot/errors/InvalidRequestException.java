package dev.memslot.errors;

/** INVALID_ARGUMENT: the request can never work; {@link #field()} names what to change. */
public class InvalidRequestException extends MemslotException {
  private static final long serialVersionUID = 1L;

  InvalidRequestException(Failure failure) {
    super(failure);
  }
}
