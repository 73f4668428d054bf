package dev.memslot.model;

/** Who a body comes from, as its writer says. */
public enum Origin implements Numbered {
  /** Not said, or a value that this client does not know. */
  UNSPECIFIED(0),
  /** Said by the person whom the agent serves. */
  USER(1),
  /** Produced by a model. */
  MODEL(2),
  /** The result of a tool call. */
  TOOL(3),
  /** Written by whoever operates the agent. */
  OPERATOR(4);

  private final int number;

  Origin(int number) {
    this.number = number;
  }

  @Override
  public int number() {
    return number;
  }
}
