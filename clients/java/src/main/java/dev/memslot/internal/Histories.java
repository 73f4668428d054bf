package dev.memslot.internal;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.memslot.model.Acted;
import dev.memslot.model.Action;
import dev.memslot.model.ActionOutcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;

/** What a history keeps of a model's message: all but the values that were stored. */
public final class Histories {
  private static final Set<String> STORING = Set.of("mem_write", "mem_append", "mem_patch");

  /** Where providers keep the arguments of a call. */
  private static final Set<String> ARGUMENTS = Set.of("arguments", "input", "args");

  private Histories() {}

  /** The text without stored values, and the answer to it. */
  public static List<JsonObject> kept(Acted acted, String said) {
    check(acted, said);
    String left = shortened(said, stored(acted), (action, whole) -> shortest(action));
    return withAnswers(acted, List.of(message("assistant", left)));
  }

  /** A provider's message, or several, without stored values, and the answers to them. */
  public static List<JsonObject> kept(Acted acted, JsonElement said) {
    String text = Json.write(said);
    check(acted, text);
    List<Action> stored = stored(acted);
    JsonElement left =
        stored.isEmpty()
            ? said.deepCopy()
            : Json.read(shortened(text, stored, Histories::shortestInJson));
    if (left instanceof JsonArray messages) {
      return withAnswers(
          acted, messages.asList().stream().map(JsonElement::getAsJsonObject).toList());
    }
    JsonObject message = left.getAsJsonObject();
    boolean inText = stored.stream().anyMatch(one -> one.callId().isEmpty());
    if (inText && message.get("content") instanceof JsonPrimitive) {
      message.addProperty("content", acted.userText());
    }
    return withAnswers(acted, List.of(message));
  }

  private static void check(Acted acted, String text) {
    if (text.codePointCount(0, text.length()) != acted.characters()) {
      throw new IllegalArgumentException("this is not the output that was acted on");
    }
  }

  private static List<JsonObject> withAnswers(Acted acted, List<JsonObject> messages) {
    List<JsonObject> kept = new ArrayList<>(messages);
    if (!acted.toolMessages().isEmpty()) {
      acted.toolMessages().forEach(answer -> kept.add(answer.deepCopy()));
    } else if (!acted.modelText().isEmpty()) {
      kept.add(message("user", acted.modelText()));
    }
    return kept;
  }

  private static JsonObject message(String role, String content) {
    JsonObject message = new JsonObject();
    message.addProperty("role", role);
    message.addProperty("content", content);
    return message;
  }

  private static List<Action> stored(Acted acted) {
    return acted.actions().stream()
        .filter(one -> STORING.contains(one.action()) && one.outcome() == ActionOutcome.DONE)
        .toList();
  }

  /** A text with each stored action as it is put, by the action and how it stands there. */
  private static String shortened(
      String text, List<Action> stored, BiFunction<Action, String, String> put) {
    List<Action> backwards =
        stored.stream()
            .sorted(Comparator.comparingLong((Action one) -> one.span().start()).reversed())
            .toList();
    StringBuilder left = new StringBuilder(text);
    for (Action one : backwards) {
      int start = text.offsetByCodePoints(0, Math.toIntExact(one.span().start()));
      String whole = one.span().of(text);
      left.replace(start, start + whole.length(), put.apply(one, whole));
    }
    return left.toString();
  }

  private static String shortest(Action action) {
    JsonObject shown = new JsonObject();
    shown.addProperty("action", action.action());
    rest(action).entrySet().forEach(one -> shown.add(one.getKey(), one.getValue()));
    return Json.write(shown);
  }

  /** In the JSON of a message an action is a call of its own, or a part of one of its texts. */
  private static String shortestInJson(Action action, String whole) {
    Optional<JsonObject> call = Json.objectIn(whole);
    if (call.isPresent()) {
      shorten(call.get(), rest(action));
      return Json.write(call.get());
    }
    String quoted = Json.write(new JsonPrimitive(shortest(action)));
    return quoted.substring(1, quoted.length() - 1);
  }

  /** The arguments that were understood: as the model wrote them they may be no JSON. */
  private static void shorten(JsonObject call, JsonObject rest) {
    if (call.get("function") instanceof JsonObject function) {
      shorten(function, rest);
    }
    for (String name : ARGUMENTS) {
      JsonElement given = call.get(name);
      if (given instanceof JsonPrimitive) {
        call.addProperty(name, Json.write(rest));
      } else if (given != null) {
        call.add(name, rest);
      }
    }
  }

  private static JsonObject rest(Action action) {
    JsonObject rest = action.arguments();
    rest.remove("value");
    return rest;
  }
}
