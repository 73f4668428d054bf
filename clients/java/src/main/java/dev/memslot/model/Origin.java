package dev.memslot.model;

/** Who a body comes from, as its writer says. */
public enum Origin {
  /** Not said, or a value that this client does not know. */
  UNSPECIFIED,
  /** Said by the person whom the agent serves. */
  USER,
  /** Produced by a model. */
  MODEL,
  /** The result of a tool call. */
  TOOL,
  /** Written by whoever operates the agent. */
  OPERATOR
}
