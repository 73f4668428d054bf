package dev.memslot.model;

/** How a step of a turn went. */
public enum StepVerdict implements Numbered {
  /** Nothing is known of it. */
  UNSPECIFIED(0),
  /** As it should. */
  OK(1),
  /** Something a person should look at. */
  WARNING(2),
  /** It broke. */
  BROKEN(3);

  private final int number;

  StepVerdict(int number) {
    this.number = number;
  }

  @Override
  public int number() {
    return number;
  }
}
