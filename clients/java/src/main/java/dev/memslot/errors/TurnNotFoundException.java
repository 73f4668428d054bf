package dev.memslot.errors;

/** Nothing is known of the turn. */
public final class TurnNotFoundException extends NotFoundException {
  private static final long serialVersionUID = 1L;

  TurnNotFoundException(Failure failure) {
    super(failure);
  }
}
