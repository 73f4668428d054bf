package dev.memslot.model;

/**
 * A short text that stands for a body. Its printed form leaves the text out.
 *
 * @param text the summary
 * @param source how it was made
 * @param origin the least trusted of what it was made from: what a model wrote about a user's text
 *     is the model's
 * @param revision the slot's revision that it belongs to
 */
public record Summary(String text, SummarySource source, Origin origin, long revision) {
  @Override
  public String toString() {
    return "Summary[" + source + ", " + origin + ", revision " + revision + "]";
  }
}
