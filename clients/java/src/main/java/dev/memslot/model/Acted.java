package dev.memslot.model;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.memslot.internal.Histories;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What came of a model's output. Its printed form shows no text of the output and no body.
 *
 * @param actions what was found, in its order
 * @param rejects what looked like an action and was not executed
 * @param modelText what the model is told, a line for each action and reject, without any body: the
 *     only part that is meant for the history
 * @param toolMessages the same in the provider's form, where the output was a provider's message
 * @param userText the output without the actions
 * @param injection what was read, for the tail of the next prompt and no other, if asked for
 * @param injected the slots that the injection shows
 * @param characters how many characters the output had
 * @param revision the store's revision at the time of the reply
 */
public record Acted(
    List<Action> actions,
    List<Reject> rejects,
    String modelText,
    List<JsonObject> toolMessages,
    String userText,
    String injection,
    List<InjectedSlot> injected,
    int characters,
    long revision) {
  /** Whether the output held nothing to execute and nothing that looked so. */
  public boolean isEmpty() {
    return actions.isEmpty() && rejects.isEmpty();
  }

  /** What was read, by name. */
  public Map<String, Slot> slots() {
    Map<String, Slot> read = new LinkedHashMap<>();
    actions.forEach(action -> action.slot().ifPresent(slot -> read.put(slot.name(), slot)));
    return read;
  }

  /** What was read of a slot, if it was. */
  public Optional<Slot> slot(String name) {
    return Optional.ofNullable(slots().get(name));
  }

  /**
   * What belongs into the history: the text that was acted on, without the values that it stored,
   * as the assistant's, and what the model is told, as the user's.
   *
   * @param said the text that was acted on
   * @throws IllegalArgumentException for another one
   */
  public List<JsonObject> history(String said) {
    return Histories.kept(this, said);
  }

  /**
   * What belongs into the history: a provider's message, or an array of them, without the values
   * that it stored, and the answers to it. What was refused keeps its value, for the model to mend.
   *
   * @param said the message that was acted on
   * @throws IllegalArgumentException for another one
   */
  public List<JsonObject> history(JsonElement said) {
    return Histories.kept(this, said);
  }

  @Override
  public String toString() {
    return "Acted[" + actions + ", " + rejects + ", revision " + revision + "]";
  }
}
