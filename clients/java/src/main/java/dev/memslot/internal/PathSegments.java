package dev.memslot.internal;

import java.text.Normalizer;
import java.util.HexFormat;
import java.util.function.IntPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Escapes of what a namespace's segment may not hold. */
public final class PathSegments {
  private static final Pattern ESCAPES = Pattern.compile("(?:%[0-9A-Fa-f]{2})+");
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private PathSegments() {}

  /** A segment that holds the part. */
  public static String escaped(String part) {
    if (part.equals(".") || part.equals("..")) {
      return "%2E".repeat(part.length());
    }
    String segment = escapedEnds(part);
    return Normalizer.isNormalized(segment, Normalizer.Form.NFC)
        ? segment
        : escapedWhere(segment, point -> point > 0x7F);
  }

  /** The part that a segment holds. */
  public static String unescaped(String segment) {
    return ESCAPES
        .matcher(segment)
        .replaceAll(found -> Matcher.quoteReplacement(decoded(found.group())));
  }

  private static String escapedEnds(String part) {
    int[] points = part.codePoints().toArray();
    StringBuilder segment = new StringBuilder();
    for (int at = 0; at < points.length; at++) {
      boolean isEnd = at == 0 || at == points.length - 1;
      if (isForbidden(points[at]) || (isEnd && Character.isSpaceChar(points[at]))) {
        segment.append(percent(points[at]));
      } else {
        segment.appendCodePoint(points[at]);
      }
    }
    return segment.toString();
  }

  private static String escapedWhere(String text, IntPredicate escape) {
    return text.codePoints()
        .mapToObj(point -> escape.test(point) ? percent(point) : Character.toString(point))
        .collect(Collectors.joining());
  }

  private static boolean isForbidden(int point) {
    return switch (Character.getType(point)) {
      case Character.CONTROL,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default ->
          point == '/'
              || point == '%'
              || (0x202A <= point && point <= 0x202E)
              || (0x2066 <= point && point <= 0x2069);
    };
  }

  private static String percent(int point) {
    StringBuilder escape = new StringBuilder();
    for (byte one : Utf8.encodeHalves(Character.toString(point))) {
      escape.append('%').append(HEX.toHexDigits(one));
    }
    return escape.toString();
  }

  private static String decoded(String escapes) {
    byte[] bytes = HEX.parseHex(escapes.replace("%", ""));
    return Utf8.decode(bytes).or(() -> Utf8.decodeHalves(bytes)).orElse(escapes);
  }
}
