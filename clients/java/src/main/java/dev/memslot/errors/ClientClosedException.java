package dev.memslot.errors;

/**
 * The client is closed: nothing was sent. Open a new one. A call that was under way ends so too,
 * but a mutation with an {@link OutcomeUnknownException}, which {@code retry} of a new client
 * settles.
 */
public final class ClientClosedException extends MemslotException {
  private static final long serialVersionUID = 1L;

  ClientClosedException(Failure failure) {
    super(failure);
  }
}
