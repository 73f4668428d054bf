package dev.memslot.driver;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.memslot.Batch;
import dev.memslot.Memory;
import dev.memslot.MemslotClient;
import dev.memslot.NamespacePath;
import dev.memslot.Task;
import dev.memslot.WriteOptions;
import dev.memslot.model.Action;
import dev.memslot.model.Entry;
import dev.memslot.model.Order;
import dev.memslot.model.Outcome;
import dev.memslot.model.Receipt;
import dev.memslot.model.Slot;
import dev.memslot.model.Value;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** The verbs of the idiomatic layer. */
final class Verbs {
  private static final int UPDATE_ATTEMPTS = 100;

  private Verbs() {}

  static JsonObject done(MemslotClient client, JsonObject request) {
    Memory memory = client.memory();
    JsonObject arguments =
        request.has("arguments") ? request.getAsJsonObject("arguments") : new JsonObject();
    return switch (request.get("verb").getAsString()) {
      case "write" -> write(memory, arguments);
      case "read" -> read(memory.read(text(arguments, "name")));
      case "append" ->
          outcome(memory.append(text(arguments, "name"), text(arguments, "text")).outcome());
      case "patch" ->
          outcome(memory.patch(text(arguments, "name"), arguments.get("patch")).outcome());
      case "forget" -> outcome(memory.forget(text(arguments, "name")).outcome());
      case "update" -> update(memory, arguments);
      case "names" -> names(memory, arguments);
      case "search" ->
          of(
              "names",
              memory
                  .search(
                      text(arguments, "text"),
                      details -> details.limit(arguments.get("limit").getAsInt()))
                  .names());
      case "act" -> act(memory, arguments);
      case "history" -> TurnVerbs.history(memory, arguments);
      case "inject" ->
          of(
              "text",
              memory
                  .inject(texts(arguments, "names"), details -> turn(arguments, details::turn))
                  .text());
      case "scrub" -> of("text", memory.scrub(text(arguments, "text")));
      case "record", "report", "inspect", "diagnose" ->
          TurnVerbs.done(memory, request.get("verb").getAsString(), arguments);
      case "task" -> task(memory, arguments);
      case "namespace" -> of("namespace", NamespacePath.of(texts(arguments, "parts")));
      case "split" -> of("parts", NamespacePath.split(text(arguments, "namespace")));
      case "commit" -> commit(memory, arguments);
      default -> throw new IllegalArgumentException("there is no such verb");
    };
  }

  private static JsonObject write(Memory memory, JsonObject arguments) {
    JsonElement given = arguments.get("value");
    Value value =
        switch (text(arguments, "kind")) {
          case "text" -> Value.text(given.getAsString());
          case "bytes" -> Value.bytes(Base64.getDecoder().decode(given.getAsString()));
          default -> Value.json(given);
        };
    Receipt receipt =
        memory.write(text(arguments, "name"), value, details -> describe(details, arguments));
    JsonObject result = outcome(receipt.outcome());
    result.addProperty("name", receipt.name());
    result.addProperty("version", Long.toString(receipt.version()));
    result.addProperty("revision", Long.toString(receipt.revision()));
    return result;
  }

  private static void describe(WriteOptions details, JsonObject arguments) {
    for (Map.Entry<String, JsonElement> said : arguments.entrySet()) {
      JsonElement value = said.getValue();
      switch (said.getKey()) {
        case "description" -> details.description(value.getAsString());
        case "tags" -> details.tags(texts(arguments, "tags"));
        case "task_type" -> details.taskType(value.getAsString());
        case "ttl_ms" -> details.ttl(Duration.ofMillis(value.getAsLong()));
        case "if_absent" -> {
          if (value.getAsBoolean()) {
            details.ifAbsent();
          }
        }
        case "if_revision" -> details.ifRevision(value.getAsLong());
        default -> {
          // name, kind, value
        }
      }
    }
  }

  private static JsonObject read(Slot slot) {
    JsonObject result = new JsonObject();
    if (slot.value().isText()) {
      result.addProperty("kind", "text");
      result.addProperty("value", slot.text());
    } else if (slot.value().isJson()) {
      result.addProperty("kind", "json");
      result.add("value", slot.json());
    } else {
      result.addProperty("kind", "bytes");
      result.addProperty("value", Base64.getEncoder().encodeToString(slot.bytes()));
    }
    result.addProperty("content_type", slot.contentType());
    result.addProperty("revision", Long.toString(slot.revision()));
    return result;
  }

  private static JsonObject update(Memory memory, JsonObject arguments) {
    AtomicReference<JsonArray> stored = new AtomicReference<>(new JsonArray());
    memory.update(
        text(arguments, "name"),
        details -> details.initial(Value.json(new JsonArray())).attempts(UPDATE_ATTEMPTS),
        value -> {
          if (arguments.has("also")) {
            arguments.getAsJsonArray("also").forEach(one -> write(memory, one.getAsJsonObject()));
          }
          JsonArray items = value.json().getAsJsonArray();
          items.add(arguments.get("append"));
          stored.set(items);
          return Value.json(items);
        });
    JsonObject result = new JsonObject();
    result.add("value", stored.get());
    return result;
  }

  private static JsonObject names(Memory memory, JsonObject arguments) {
    Order order = Order.valueOf(arguments.has("order") ? text(arguments, "order") : "RANK");
    String prefix = arguments.has("prefix") ? text(arguments, "prefix") : "";
    return of(
        "names",
        memory
            .lookup(
                prefix,
                details -> details.order(order).pageSize(arguments.get("page_size").getAsInt()))
            .stream()
            .map(Entry::name)
            .toList());
  }

  private static JsonObject act(Memory memory, JsonObject arguments) {
    boolean lenient = arguments.has("lenient") && arguments.get("lenient").getAsBoolean();
    var acted =
        memory.act(
            text(arguments, "output"),
            details -> {
              turn(arguments, details::turn);
              if (lenient) {
                details.lenient();
              }
            });
    JsonArray actions = new JsonArray();
    for (Action action : acted.actions()) {
      JsonObject told = outcome("outcome", action.outcome());
      told.addProperty("action", action.action());
      told.addProperty("slot", action.name());
      actions.add(told);
    }
    JsonObject result = new JsonObject();
    result.add("actions", actions);
    result.addProperty("model_text", acted.modelText());
    result.addProperty("user_text", acted.userText());
    return result;
  }

  private static JsonObject task(Memory memory, JsonObject arguments) {
    try (Task task =
        memory.beginTask(
            text(arguments, "task_id"),
            details -> details.attempt(arguments.get("attempt").getAsLong()))) {
      arguments
          .getAsJsonObject("writes")
          .entrySet()
          .forEach(one -> task.memory().write(one.getKey(), one.getValue().getAsString()));
      if (arguments.has("promote")) {
        task.promote(texts(arguments, "promote").toArray(String[]::new));
      }
      if (!arguments.has("fail") || !arguments.get("fail").getAsBoolean()) {
        task.succeed();
      }
      return of("namespace", task.memory().namespacePath());
    }
  }

  private static JsonObject commit(Memory memory, JsonObject arguments) {
    Batch batch = new Batch();
    if (arguments.has("writes")) {
      arguments
          .getAsJsonObject("writes")
          .entrySet()
          .forEach(one -> batch.write(one.getKey(), one.getValue().getAsString()));
    }
    if (arguments.has("forgets")) {
      texts(arguments, "forgets").forEach(batch::forget);
    }
    return of(
        "outcomes",
        memory.commit(batch).receipts().stream().map(one -> one.outcome().name()).toList());
  }

  private static void turn(JsonObject arguments, Consumer<String> said) {
    if (arguments.has("turn")) {
      said.accept(text(arguments, "turn"));
    }
  }

  private static String text(JsonObject arguments, String name) {
    return arguments.get(name).getAsString();
  }

  private static List<String> texts(JsonObject arguments, String name) {
    return arguments.getAsJsonArray(name).asList().stream().map(JsonElement::getAsString).toList();
  }

  private static JsonObject outcome(Outcome outcome) {
    return outcome("outcome", outcome);
  }

  private static JsonObject outcome(String name, Enum<?> outcome) {
    return of(name, outcome.name());
  }

  private static JsonObject of(String name, String text) {
    JsonObject result = new JsonObject();
    result.addProperty(name, text);
    return result;
  }

  private static JsonObject of(String name, List<String> texts) {
    JsonArray list = new JsonArray();
    texts.forEach(list::add);
    JsonObject result = new JsonObject();
    result.add(name, list);
    return result;
  }
}
