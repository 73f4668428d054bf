package dev.memslot.internal;

import org.jspecify.annotations.Nullable;

/** A token as a header holds it. */
public final class Bearer {
  private Bearer() {}

  /**
   * The header's value.
   *
   * @throws IllegalArgumentException for a token that a header cannot hold, which gRPC would log
   */
  public static String header(@Nullable String token) {
    if (token == null || token.isEmpty() || !Said.isPlain(token)) {
      throw new IllegalArgumentException(
          "a token is printable ASCII without spaces around it, such as the line end of a file");
    }
    return "Bearer " + token;
  }
}
