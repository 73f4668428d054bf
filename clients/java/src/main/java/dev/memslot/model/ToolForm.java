package dev.memslot.model;

/** The form in which a provider wants tools and their answers. */
public enum ToolForm implements Numbered {
  /** Not said, or a value that this client does not know. */
  UNSPECIFIED(0),
  /** Chat Completions and what is compatible. */
  OPENAI(1),
  /** Anthropic's Messages. */
  ANTHROPIC(2),
  /** The Model Context Protocol. */
  MCP(3);

  private final int number;

  ToolForm(int number) {
    this.number = number;
  }

  @Override
  public int number() {
    return number;
  }
}
