package dev.memslot.errors;

/** The server is older than the client and does not know a field of the request. */
public final class UnknownFieldException extends InvalidRequestException {
  private static final long serialVersionUID = 1L;

  UnknownFieldException(Failure failure) {
    super(failure);
  }
}
