package dev.memslot.model;

/**
 * Where something stands in a text, in characters (Unicode code points, not Java's UTF-16 units).
 *
 * @param start index of the first character
 * @param end index behind the last
 */
public record Span(long start, long end) {
  /** The part of a text that this is about. */
  public String of(String text) {
    int from = text.offsetByCodePoints(0, Math.toIntExact(start));
    return text.substring(from, text.offsetByCodePoints(from, Math.toIntExact(end - start)));
  }
}
