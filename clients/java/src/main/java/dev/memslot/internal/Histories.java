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
import java.util.Set;
import java.util.stream.Collectors;

/** What a history keeps of a model's message: all but the values that were stored. */
public final class Histories {
  private static final Set<String> STORING = Set.of("mem_write", "mem_append", "mem_patch");

  private Histories() {}

  /** The text without stored values, and the answer to it. */
  public static List<JsonObject> kept(Acted acted, String said) {
    return withAnswers(acted, message("assistant", shortened(said, stored(acted))));
  }

  /** A provider's message without stored values, and the answers to it. */
  public static List<JsonObject> kept(Acted acted, JsonObject said) {
    return withAnswers(acted, withoutValues(acted, said));
  }

  private static List<JsonObject> withAnswers(Acted acted, JsonObject message) {
    List<JsonObject> kept = new ArrayList<>();
    kept.add(message);
    if (!acted.toolMessages().isEmpty()) {
      kept.addAll(acted.toolMessages());
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

  private static String shortened(String text, List<Action> stored) {
    List<Action> backwards =
        stored.stream()
            .sorted(Comparator.comparingLong((Action one) -> one.span().start()).reversed())
            .toList();
    String left = text;
    for (Action one : backwards) {
      int start = left.offsetByCodePoints(0, Math.toIntExact(one.span().start()));
      int end = start + one.span().of(left).length();
      left = left.substring(0, start) + withoutValue(one) + left.substring(end);
    }
    return left;
  }

  private static String withoutValue(Action action) {
    JsonObject shown = new JsonObject();
    shown.addProperty("action", action.action());
    rest(action.arguments()).entrySet().forEach(one -> shown.add(one.getKey(), one.getValue()));
    return Json.write(shown);
  }

  private static JsonObject withoutValues(Acted acted, JsonObject said) {
    List<Action> stored = stored(acted);
    JsonObject message = said.deepCopy();
    Set<String> ids = stored.stream().map(Action::callId).collect(Collectors.toSet());
    ids.remove("");
    if (message.get("tool_calls") instanceof JsonArray calls) {
      calls.forEach(call -> shortenOpenAi(call, ids));
    }
    JsonElement content = message.get("content");
    if (content instanceof JsonArray blocks) {
      blocks.forEach(block -> shortenAnthropic(block, ids));
    } else if (content != null
        && content.isJsonPrimitive()
        && stored.stream().anyMatch(one -> one.callId().isEmpty())) {
      message.addProperty("content", acted.userText());
    }
    return message;
  }

  private static void shortenOpenAi(JsonElement call, Set<String> ids) {
    if (isOneOf(call, ids)
        && call.getAsJsonObject().get("function") instanceof JsonObject function) {
      JsonObject arguments = Json.readObject(function.get("arguments").getAsString());
      function.addProperty("arguments", Json.write(rest(arguments)));
    }
  }

  private static void shortenAnthropic(JsonElement block, Set<String> ids) {
    if (isOneOf(block, ids) && block.getAsJsonObject().get("input") instanceof JsonObject input) {
      block.getAsJsonObject().add("input", rest(input));
    }
  }

  private static boolean isOneOf(JsonElement call, Set<String> ids) {
    return call instanceof JsonObject object
        && object.get("id") instanceof JsonPrimitive id
        && ids.contains(id.getAsString());
  }

  private static JsonObject rest(JsonObject arguments) {
    JsonObject rest = arguments.deepCopy();
    rest.remove("value");
    return rest;
  }
}
