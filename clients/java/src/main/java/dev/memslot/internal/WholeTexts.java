package dev.memslot.internal;

import com.google.protobuf.Message;
import java.util.List;

/**
 * Refuses what no message can carry: protobuf would send a question mark in the place of half a
 * surrogate pair, and so one name for another.
 */
final class WholeTexts {
  private WholeTexts() {}

  static void check(Message request) {
    check(request, "");
  }

  private static void check(Message message, String path) {
    message
        .getAllFields()
        .forEach(
            (field, value) -> {
              if (value instanceof List<?> items) {
                items.forEach(item -> checkValue(item, path + field.getName()));
              } else {
                checkValue(value, path + field.getName());
              }
            });
  }

  private static void checkValue(Object value, String path) {
    if (value instanceof Message inner) {
      check(inner, path + ".");
    } else if (value instanceof String text) {
      int half = Utf8.halfSurrogate(text);
      if (half >= 0) {
        throw new IllegalArgumentException(
            "%s holds half a surrogate pair at index %d, which UTF-8 cannot hold"
                .formatted(path, half));
      }
    }
  }
}
