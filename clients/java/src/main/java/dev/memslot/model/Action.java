package dev.memslot.model;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.memslot.errors.MemslotException;
import dev.memslot.internal.Json;
import java.util.List;
import java.util.Optional;

/**
 * One memory action that was found in a model's output. Its printed form leaves the arguments out.
 *
 * @param action which one, such as {@code mem_write}
 * @param argumentsJson its arguments as JSON
 * @param span where it stands in the output
 * @param outcome how it ended
 * @param line its receipt for the model
 * @param repaired what lenient reading mended
 * @param callId the provider's call, or empty
 * @param shape how the action was written
 * @param receipt what was done, for mem_write, mem_append, mem_patch and mem_forget
 * @param slot what was read, for mem_read: the body is for the application
 * @param found what was found, for mem_lookup and mem_search
 * @param error why it was not executed
 */
public record Action(
    String action,
    String argumentsJson,
    Span span,
    ActionOutcome outcome,
    String line,
    List<String> repaired,
    String callId,
    String shape,
    Optional<Receipt> receipt,
    Optional<Slot> slot,
    Optional<FoundNames> found,
    Optional<MemslotException> error) {
  /** The arguments; integers keep every digit. */
  public JsonObject arguments() {
    return Json.readObject(argumentsJson);
  }

  /** The slot that it is about, as the model wrote it; empty for a lookup or a search. */
  public String name() {
    JsonElement name = arguments().get("slot");
    return name != null && name.isJsonPrimitive() ? name.getAsString() : "";
  }

  @Override
  public String toString() {
    return "Action[" + action + ", " + outcome + ", " + line + "]";
  }
}
