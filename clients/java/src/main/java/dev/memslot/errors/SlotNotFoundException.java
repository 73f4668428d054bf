package dev.memslot.errors;

/** No live slot has this name. */
public final class SlotNotFoundException extends NotFoundException {
  private static final long serialVersionUID = 1L;

  SlotNotFoundException(Failure failure) {
    super(failure);
  }
}
