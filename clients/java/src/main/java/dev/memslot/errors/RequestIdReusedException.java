package dev.memslot.errors;

/** The request id was used for other content. */
public final class RequestIdReusedException extends InvalidRequestException {
  private static final long serialVersionUID = 1L;

  RequestIdReusedException(Failure failure) {
    super(failure);
  }
}
