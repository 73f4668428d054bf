package dev.memslot.errors;

/** The item alone does not fit into a reply. */
public final class ReplyBudgetException extends ResourceExhaustedException {
  private static final long serialVersionUID = 1L;

  ReplyBudgetException(Failure failure) {
    super(failure);
  }
}
