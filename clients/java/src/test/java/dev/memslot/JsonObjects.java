package dev.memslot;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

/** JSON objects in one expression. */
final class JsonObjects {
  private JsonObjects() {}

  static JsonObject of(String name, JsonElement value) {
    JsonObject object = new JsonObject();
    object.add(name, value);
    return object;
  }
}
