package dev.memslot.errors;

/** Neither the body nor a summary fits into the injection. */
public final class InjectionBudgetException extends ResourceExhaustedException {
  private static final long serialVersionUID = 1L;

  InjectionBudgetException(Failure failure) {
    super(failure);
  }
}
