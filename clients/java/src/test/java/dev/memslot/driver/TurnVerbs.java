package dev.memslot.driver;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.memslot.ActOptions;
import dev.memslot.DiagnoseOptions;
import dev.memslot.InspectOptions;
import dev.memslot.Memory;
import dev.memslot.RecordOptions;
import dev.memslot.model.Acted;
import dev.memslot.model.Diagnosis;
import dev.memslot.model.Inspection;
import dev.memslot.model.PromptFinding;
import dev.memslot.model.TokenReport;
import dev.memslot.model.TurnAccount;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** The verbs about turns and prompts. */
final class TurnVerbs {
  private TurnVerbs() {}

  static JsonObject done(Memory memory, String verb, JsonObject arguments) {
    return switch (verb) {
      case "record" -> record(memory, arguments);
      case "report" -> report(memory, arguments);
      case "inspect" -> inspect(memory, arguments);
      default -> diagnose(memory, arguments);
    };
  }

  /** What the history keeps of an output, or of what is said to be that output. */
  static JsonObject history(Memory memory, JsonObject arguments) {
    JsonElement output = arguments.get("output");
    Consumer<ActOptions> details =
        how -> {
          if (arguments.has("lenient") && arguments.get("lenient").getAsBoolean()) {
            how.lenient();
          }
        };
    Acted acted =
        output instanceof JsonPrimitive text
            ? memory.act(text.getAsString(), details)
            : memory.act(output, details);
    JsonElement said = arguments.has("said") ? arguments.get("said") : output;
    JsonArray messages = new JsonArray();
    (said instanceof JsonPrimitive text ? acted.history(text.getAsString()) : acted.history(said))
        .forEach(messages::add);
    JsonObject result = new JsonObject();
    result.add("messages", messages);
    return result;
  }

  private static JsonObject record(Memory memory, JsonObject arguments) {
    Consumer<RecordOptions> details =
        how -> {
          how.turn(arguments.get("turn").getAsString()).tokenCounter("chars");
          if (arguments.has("usage")) {
            how.usage(arguments.getAsJsonObject("usage"));
          }
          JsonElement output = arguments.get("output");
          if (output instanceof JsonPrimitive text) {
            how.output(text.getAsString());
          } else if (output != null) {
            how.output(output);
          }
        };
    TurnAccount account =
        arguments.has("messages")
            ? memory.recordTurn(arguments.getAsJsonArray("messages"), details)
            : memory.recordTurn(arguments.get("prompt").getAsString(), details);
    JsonObject result = new JsonObject();
    result.addProperty("turn", account.turn());
    result.addProperty("conversation", account.conversation());
    result.addProperty("prompt", account.prompt().characters());
    result.addProperty("output", account.output().characters());
    result.addProperty("leaked", account.leaked().characters());
    result.addProperty("slots", account.slots());
    result.addProperty("bytes", account.bodyBytesOutside());
    JsonArray usage = new JsonArray();
    usage.add(count(account.usage().promptTokens()));
    usage.add(count(account.usage().cachedTokens()));
    usage.add(count(account.usage().completionTokens()));
    result.add("usage", usage);
    return result;
  }

  private static JsonElement count(OptionalLong told) {
    return told.isPresent() ? new JsonPrimitive(told.getAsLong()) : JsonNull.INSTANCE;
  }

  private static JsonObject report(Memory memory, JsonObject arguments) {
    TokenReport report =
        arguments.has("conversation")
            ? memory.tokenReport(
                how -> how.conversation(arguments.get("conversation").getAsString()))
            : memory.tokenReport();
    JsonArray problems = new JsonArray();
    report
        .problems()
        .forEach(
            one -> {
              JsonObject problem = new JsonObject();
              problem.addProperty("cause", one.cause().name());
              problem.add("turns", texts(one.turns()));
              problems.add(problem);
            });
    JsonObject result = new JsonObject();
    result.add("turns", texts(report.turns().stream().map(TurnAccount::turn).toList()));
    result.addProperty("verdict", report.verdict().name());
    result.add("problems", problems);
    result.addProperty("saved", report.saved().characters());
    return result;
  }

  private static JsonObject inspect(Memory memory, JsonObject arguments) {
    Consumer<InspectOptions> details =
        how -> {
          if (arguments.has("turn")) {
            how.turn(arguments.get("turn").getAsString());
          }
        };
    Inspection inspection =
        arguments.has("messages")
            ? memory.inspectPrompt(arguments.getAsJsonArray("messages"), details)
            : memory.inspectPrompt(arguments.get("prompt").getAsString(), details);
    JsonArray findings = new JsonArray();
    inspection.findings().forEach(one -> findings.add(finding(one)));
    JsonObject result = new JsonObject();
    result.add("findings", findings);
    result.add("leaked", texts(inspection.leaked().stream().map(PromptFinding::name).toList()));
    result.addProperty("leaked_characters", inspection.leakedCharacters());
    return result;
  }

  private static JsonObject finding(PromptFinding found) {
    JsonObject told = new JsonObject();
    told.addProperty("name", found.name());
    told.addProperty("message_index", found.messageIndex());
    told.addProperty("field", found.field());
    told.addProperty("start", found.span().start());
    told.addProperty("end", found.span().end());
    told.addProperty("whole", found.whole());
    told.addProperty("allowed", found.injectionId().isPresent());
    return told;
  }

  private static JsonObject diagnose(Memory memory, JsonObject arguments) {
    Diagnosis diagnosis =
        memory.diagnose(
            arguments.get("turn").getAsString(), details -> describe(details, arguments));
    JsonArray steps = new JsonArray();
    diagnosis
        .steps()
        .forEach(
            one -> {
              JsonObject step = new JsonObject();
              step.addProperty("step", one.step().name());
              step.addProperty("verdict", one.verdict().name());
              steps.add(step);
            });
    JsonObject result = new JsonObject();
    result.addProperty("turn", diagnosis.turn());
    result.addProperty("first_broken", diagnosis.firstBroken().map(Enum::name).orElse(""));
    result.add("steps", steps);
    result.add("reasons", texts(diagnosis.reasons().stream().sorted().toList()));
    return result;
  }

  private static void describe(DiagnoseOptions details, JsonObject arguments) {
    arguments
        .entrySet()
        .forEach(
            said -> {
              String text = said.getValue().getAsString();
              switch (said.getKey()) {
                case "slot" -> details.slot(text);
                case "output" -> details.output(text);
                case "prompt" -> details.prompt(text);
                case "answer" -> details.answer(text);
                default -> {
                  // turn
                }
              }
            });
  }

  private static JsonArray texts(List<String> texts) {
    JsonArray list = new JsonArray();
    texts.forEach(list::add);
    return list;
  }
}
