package dev.memslot.internal;

import io.grpc.Metadata;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

/** Who asks, as the audit shall tell it: recorded as said, never believed. */
public record Said(String agent, String conversation, String turn, Supplier<String> traceparent) {
  private static final int LIMIT_BYTES = 4096;

  /** Nobody in particular. */
  public static final Said NOTHING = new Said("", "", "", () -> "");

  /** The same for one turn. */
  public Said inTurn(String otherTurn) {
    return new Said(agent, conversation, otherTurn, traceparent);
  }

  /** The same within another W3C trace. */
  public Said traced(Supplier<String> otherTraceparent) {
    return new Said(agent, conversation, turn, otherTraceparent);
  }

  /**
   * Adds what goes beside a request.
   *
   * @throws IllegalArgumentException above 4096 bytes, of which servers may take no notice
   */
  void addTo(Metadata headers) {
    int size =
        put(headers, "memslot-agent", agent)
            + put(headers, "memslot-conversation", conversation)
            + put(headers, "memslot-turn", turn)
            + put(headers, "traceparent", traceparent.get());
    if (size > LIMIT_BYTES) {
      throw new IllegalArgumentException(
          "agent, conversation, turn and traceparent take %d bytes, at most %d are sent"
              .formatted(size, LIMIT_BYTES));
    }
  }

  /** Whether a header holds a text as it is: printable ASCII without spaces around it. */
  static boolean isPlain(String value) {
    return value.equals(value.strip())
        && value.chars().allMatch(unit -> 0x20 <= unit && unit < 0x7F);
  }

  /** gRPC carries only printable ASCII as text; anything else goes as UTF-8 under "-bin". */
  private static int put(Metadata headers, String key, String value) {
    if (value == null || value.isEmpty()) {
      return 0;
    }
    if (isPlain(value)) {
      headers.put(Metadata.Key.of(key, Metadata.ASCII_STRING_MARSHALLER), value);
      return key.length() + value.length();
    }
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    headers.put(Metadata.Key.of(key + "-bin", Metadata.BINARY_BYTE_MARSHALLER), bytes);
    return key.length() + "-bin".length() + bytes.length;
  }
}
