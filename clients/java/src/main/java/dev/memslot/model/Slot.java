package dev.memslot.model;

import com.google.gson.JsonElement;

/**
 * A slot with its body.
 *
 * @param info everything but the body
 * @param value the body with its content type
 */
public record Slot(SlotInfo info, Value value) {
  /** The slot's name. */
  public String name() {
    return info.name();
  }

  /** The token for {@code ifRevision}. */
  public long revision() {
    return info.revision();
  }

  /** Media type of the body. */
  public String contentType() {
    return value.contentType();
  }

  /**
   * The body as text, whatever its content type.
   *
   * @throws IllegalArgumentException when it is not UTF-8
   */
  public String text() {
    return value.text();
  }

  /**
   * The body as a JSON value, whatever its content type.
   *
   * @throws IllegalArgumentException when it is not JSON
   */
  public JsonElement json() {
    return value.json();
  }

  /** A copy of the body. */
  public byte[] bytes() {
    return value.bytes();
  }
}
