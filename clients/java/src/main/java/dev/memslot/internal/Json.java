package dev.memslot.internal;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonPrimitive;
import com.google.gson.Strictness;
import com.google.gson.TypeAdapter;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.gson.stream.JsonWriter;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** JSON text, strict, with every digit of its numbers. No error repeats a value. */
public final class Json {
  private static final Pattern HALVES = Pattern.compile("\\\\u[dD][89a-fA-F]");
  private static final int DEPTH_LIMIT = 100;
  private static final TypeAdapter<JsonElement> ELEMENTS = new Gson().getAdapter(JsonElement.class);

  private Json() {}

  /**
   * Reads one JSON value.
   *
   * @throws IllegalArgumentException when the text is none
   */
  public static JsonElement read(String text) {
    // Gson's strict mode alone refuses escapes of half a surrogate pair, which JSON allows.
    return read(text, Strictness.STRICT)
        .or(
            () ->
                HALVES.matcher(text).find()
                    ? read(text, Strictness.LEGACY_STRICT)
                    : Optional.empty())
        .orElseThrow(() -> new IllegalArgumentException("the body is not JSON"));
  }

  private static Optional<JsonElement> read(String text, Strictness strictness) {
    JsonReader reader = new JsonReader(new StringReader(text));
    reader.setStrictness(strictness);
    reader.setNestingLimit(Integer.MAX_VALUE);
    try {
      JsonElement value = ELEMENTS.read(reader);
      return reader.peek() == JsonToken.END_DOCUMENT ? Optional.of(value) : Optional.empty();
    } catch (IOException | JsonParseException | NumberFormatException malformed) {
      // Gson's message quotes the path, whose keys belong to the body.
      return Optional.empty();
    }
  }

  /** The JSON object that a text is; empty when it is none. */
  static Optional<JsonObject> objectIn(String text) {
    return read(text, Strictness.STRICT)
        .filter(JsonObject.class::isInstance)
        .map(JsonObject.class::cast);
  }

  /**
   * Reads one JSON object.
   *
   * @throws IllegalArgumentException when the text is none
   */
  public static JsonObject readObject(String text) {
    if (read(text) instanceof JsonObject object) {
      return object;
    }
    throw new IllegalArgumentException("the body is not a JSON object");
  }

  /**
   * Writes a value without spaces; half a surrogate pair is written as its escape.
   *
   * @throws IllegalArgumentException for NaN, infinities, and nesting deeper than 100
   */
  public static String write(JsonElement value) {
    check(value, DEPTH_LIMIT);
    StringWriter text = new StringWriter();
    try (JsonWriter writer = new JsonWriter(text)) {
      writer.setHtmlSafe(false);
      writer.setSerializeNulls(true);
      ELEMENTS.write(writer, value);
    } catch (IOException | IllegalArgumentException unwritable) {
      throw new IllegalArgumentException("the value holds a number that JSON has no form for");
    }
    return escapedHalves(text.toString());
  }

  private static void check(JsonElement value, int depth) {
    if (value instanceof JsonPrimitive primitive) {
      if (primitive.isNumber() && isNotFinite(primitive.getAsNumber())) {
        throw new IllegalArgumentException("JSON has no NaN and no infinity: use null or a string");
      }
      return;
    }
    if (depth == 0 && !value.isJsonNull()) {
      throw new IllegalArgumentException(
          "the value is nested deeper than %d levels, or contains itself".formatted(DEPTH_LIMIT));
    }
    if (value instanceof JsonArray array) {
      array.forEach(item -> check(item, depth - 1));
    } else if (value instanceof JsonObject object) {
      for (Map.Entry<String, JsonElement> member : object.entrySet()) {
        check(member.getValue(), depth - 1);
      }
    }
  }

  private static boolean isNotFinite(Number number) {
    return (number instanceof Double real && !Double.isFinite(real))
        || (number instanceof Float small && !Float.isFinite(small));
  }

  private static String escapedHalves(String text) {
    StringBuilder escaped = new StringBuilder();
    int from = 0;
    for (int half = Utf8.halfSurrogate(text, 0); half >= 0; half = Utf8.halfSurrogate(text, from)) {
      escaped.append(text, from, half).append("\\u%04x".formatted((int) text.charAt(half)));
      from = half + 1;
    }
    return escaped.append(text, from, text.length()).toString();
  }
}
