package dev.memslot.errors;

/** ABORTED: another change came first; read again and decide anew. */
public class AbortedException extends MemslotException {
  private static final long serialVersionUID = 1L;

  AbortedException(Failure failure) {
    super(failure);
  }
}
