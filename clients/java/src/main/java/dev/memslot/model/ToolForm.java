package dev.memslot.model;

/** The form in which a provider wants tools and their answers. */
public enum ToolForm {
  /** Not said, or a value that this client does not know. */
  UNSPECIFIED,
  /** Chat Completions and what is compatible. */
  OPENAI,
  /** Anthropic's Messages. */
  ANTHROPIC,
  /** The Model Context Protocol. */
  MCP
}
