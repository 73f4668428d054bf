package dev.memslot.internal;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/** Text as UTF-8, without Java's silent replacement of what does not fit. */
public final class Utf8 {
  private Utf8() {}

  /**
   * Encodes a text.
   *
   * @throws IllegalArgumentException when it holds half a surrogate pair
   */
  public static byte[] encode(String text) {
    int half = halfSurrogate(text);
    if (half >= 0) {
      throw new IllegalArgumentException(
          "the text holds half a surrogate pair at index %d, which UTF-8 cannot hold"
              .formatted(half));
    }
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Encodes a text, halves of surrogate pairs as three bytes each. */
  public static byte[] encodeHalves(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
    text.codePoints()
        .forEach(
            point -> {
              if (Character.MIN_SURROGATE <= point && point <= Character.MAX_SURROGATE) {
                bytes.write(0xE0 | (point >> 12));
                bytes.write(0x80 | ((point >> 6) & 0x3F));
                bytes.write(0x80 | (point & 0x3F));
              } else {
                bytes.writeBytes(Character.toString(point).getBytes(StandardCharsets.UTF_8));
              }
            });
    return bytes.toByteArray();
  }

  /** Decodes strict UTF-8; empty when it is none. */
  public static Optional<String> decode(byte[] bytes) {
    try {
      CharBuffer text =
          StandardCharsets.UTF_8
              .newDecoder()
              .onMalformedInput(CodingErrorAction.REPORT)
              .onUnmappableCharacter(CodingErrorAction.REPORT)
              .decode(ByteBuffer.wrap(bytes));
      return Optional.of(text.toString());
    } catch (CharacterCodingException malformed) {
      return Optional.empty();
    }
  }

  /** Decodes what {@link #encodeHalves} made; empty when it is none. */
  public static Optional<String> decodeHalves(byte[] bytes) {
    StringBuilder text = new StringBuilder();
    int at = 0;
    while (at < bytes.length) {
      int size = sequenceLength(bytes[at]);
      if (size == 0 || at + size > bytes.length) {
        return Optional.empty();
      }
      byte[] sequence = Arrays.copyOfRange(bytes, at, at + size);
      Optional<String> character =
          isHalf(sequence) ? Optional.of(half(sequence)) : decode(sequence);
      if (character.isEmpty()) {
        return character;
      }
      text.append(character.get());
      at += size;
    }
    return Optional.of(text.toString());
  }

  /** The text itself, with a question mark in place of each half of a surrogate pair. */
  public static String whole(String text) {
    return halfSurrogate(text) < 0
        ? text
        : new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }

  private static int sequenceLength(byte first) {
    int ones = Integer.numberOfLeadingZeros(~(first << 24));
    return switch (ones) {
      case 0 -> 1;
      case 2, 3, 4 -> ones;
      default -> 0;
    };
  }

  private static boolean isHalf(byte[] sequence) {
    return sequence.length == 3
        && (sequence[0] & 0xFF) == 0xED
        && (sequence[1] & 0xE0) == 0xA0
        && (sequence[2] & 0xC0) == 0x80;
  }

  private static String half(byte[] sequence) {
    return Character.toString(0xD000 | ((sequence[1] & 0x3F) << 6) | (sequence[2] & 0x3F));
  }

  /** Index of the first half of a surrogate pair that stands alone, or -1. */
  public static int halfSurrogate(String text) {
    return halfSurrogate(text, 0);
  }

  /** The same from an index on. */
  static int halfSurrogate(String text, int from) {
    for (int at = from; at < text.length(); at++) {
      char unit = text.charAt(at);
      if (Character.isHighSurrogate(unit)
          && at + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(at + 1))) {
        at++;
      } else if (Character.isSurrogate(unit)) {
        return at;
      }
    }
    return -1;
  }
}
