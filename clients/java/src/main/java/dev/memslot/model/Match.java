package dev.memslot.model;

/** What led to a hit. */
public enum Match implements Numbered {
  /** Not said, or a value that this client does not know. */
  UNSPECIFIED(0),
  /** Words of the name. */
  NAME(1),
  /** Words of the description. */
  DESCRIPTION(2),
  /** Words of the tags. */
  TAGS(3),
  /** Words of the task type. */
  TASK_TYPE(4),
  /** Words of the body. */
  BODY(5),
  /** The similarity of its vector. */
  VECTOR(6),
  /** The score of slots that were written next to it. */
  NEIGHBOR(7);

  private final int number;

  Match(int number) {
    this.number = number;
  }

  @Override
  public int number() {
    return number;
  }
}
