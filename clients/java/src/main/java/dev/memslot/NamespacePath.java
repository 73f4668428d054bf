package dev.memslot;

import dev.memslot.internal.PathSegments;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Namespace paths from any strings, and back. */
public final class NamespacePath {
  private static final int PART_LIMIT = 8;
  private static final int SEGMENT_LIMIT_BYTES = 128;

  private NamespacePath() {}

  /**
   * Joins 1 to 8 strings of any content into a path, one segment each, so that {@link #split} gives
   * them back. What a segment may not hold is written as {@code %XX} of its UTF-8 bytes; everything
   * else stays, so {@code of("acme", "a@b.com")} is {@code acme/a@b.com}.
   *
   * @throws IllegalArgumentException for no part, more than 8, an empty part, or a segment of more
   *     than 128 bytes
   */
  public static String of(String... parts) {
    return of(List.of(parts));
  }

  /** The same for a list of parts. */
  public static String of(List<String> parts) {
    if (parts.isEmpty() || parts.size() > PART_LIMIT) {
      throw new IllegalArgumentException(
          "a namespace has 1 to %d parts, not %d".formatted(PART_LIMIT, parts.size()));
    }
    List<String> segments = new ArrayList<>();
    for (String part : parts) {
      segments.add(segment(part, segments.size()));
    }
    return String.join("/", segments);
  }

  /**
   * The parts that {@link #of} joined. In paths that were written by hand a {@code %} that begins
   * no escape stands for itself.
   */
  public static List<String> split(String path) {
    List<String> parts = new ArrayList<>();
    for (String segment : path.split("/", -1)) {
      parts.add(PathSegments.unescaped(segment));
    }
    return List.copyOf(parts);
  }

  private static String segment(String part, int position) {
    if (part.isEmpty()) {
      throw new IllegalArgumentException("part %d of the namespace is empty".formatted(position));
    }
    String segment = PathSegments.escaped(part);
    int size = segment.getBytes(StandardCharsets.UTF_8).length;
    if (size > SEGMENT_LIMIT_BYTES) {
      throw new IllegalArgumentException(
          "part %d of the namespace takes %d bytes as a segment, at most %d fit"
              .formatted(position, size, SEGMENT_LIMIT_BYTES));
    }
    return segment;
  }
}
