package dev.memslot.model;

import com.google.gson.JsonElement;
import com.google.protobuf.ByteString;
import dev.memslot.internal.Json;
import dev.memslot.internal.Utf8;
import java.util.Locale;
import java.util.Objects;

/**
 * A body with its content type: text, bytes, or JSON. Immutable; its printed form shows the size
 * and never the body.
 *
 * <p>JSON values are Gson's {@link JsonElement}, which gRPC brings along anyway: integers of any
 * size keep every digit ({@code value.json().getAsBigInteger()}). With another JSON library hand
 * its text to {@link #jsonText} and read it from {@link #text()}.
 */
public final class Value {
  /** The content type of text. */
  public static final String TEXT = "text/plain";

  /** The content type of JSON. */
  public static final String JSON = "application/json";

  /** The content type of bytes. */
  public static final String BINARY = "application/octet-stream";

  private final ByteString body;
  private final String contentType;

  private Value(ByteString body, String contentType) {
    this.body = body;
    this.contentType = Objects.requireNonNull(contentType);
  }

  /**
   * A text, stored as text/plain.
   *
   * @throws IllegalArgumentException when it holds half a surrogate pair
   */
  public static Value text(String text) {
    return new Value(ByteString.copyFrom(Utf8.encode(text)), TEXT);
  }

  /** Bytes, stored as application/octet-stream. */
  public static Value bytes(byte[] bytes) {
    return new Value(ByteString.copyFrom(bytes), BINARY);
  }

  /**
   * A JSON value, stored as application/json.
   *
   * @throws IllegalArgumentException for NaN, infinities, and nesting deeper than 100
   */
  public static Value json(JsonElement value) {
    return jsonText(Json.write(value));
  }

  /** JSON text of any library, stored as application/json; the server checks that it is JSON. */
  public static Value jsonText(String text) {
    return new Value(ByteString.copyFrom(Utf8.encode(text)), JSON);
  }

  /** A body under a content type, as they are. */
  public static Value of(ByteString body, String contentType) {
    return new Value(Objects.requireNonNull(body), contentType);
  }

  /** The same body under another content type, such as {@code text/markdown}. */
  public Value as(String otherContentType) {
    return new Value(body, otherContentType);
  }

  /** The media type of the body, with its parameters. */
  public String contentType() {
    return contentType;
  }

  /** The size of the body in bytes. */
  public int size() {
    return body.size();
  }

  /** A copy of the body. */
  public byte[] bytes() {
    return body.toByteArray();
  }

  /** The body without a copy. */
  public ByteString byteString() {
    return body;
  }

  /**
   * The body as text, whatever its content type.
   *
   * @throws IllegalArgumentException when it is not UTF-8
   */
  public String text() {
    return Utf8.decode(bytes())
        .orElseThrow(() -> new IllegalArgumentException("the body is not UTF-8 text"));
  }

  /**
   * The body as a JSON value, whatever its content type.
   *
   * @throws IllegalArgumentException when it is not JSON
   */
  public JsonElement json() {
    return Json.read(text());
  }

  /** Whether the content type promises text. */
  public boolean isText() {
    return mediaType().startsWith("text/");
  }

  /** Whether the content type promises JSON. */
  public boolean isJson() {
    String type = mediaType();
    return type.equals(JSON) || type.endsWith("+json");
  }

  private String mediaType() {
    int parameters = contentType.indexOf(';');
    String type = parameters < 0 ? contentType : contentType.substring(0, parameters);
    return type.strip().toLowerCase(Locale.ROOT);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Value value
        && body.equals(value.body)
        && contentType.equals(value.contentType);
  }

  @Override
  public int hashCode() {
    return Objects.hash(body, contentType);
  }

  @Override
  public String toString() {
    return "Value[" + contentType + ", " + body.size() + " bytes]";
  }
}
