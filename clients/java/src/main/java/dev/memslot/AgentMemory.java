package dev.memslot;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.protobuf.Message;
import dev.memslot.internal.Call;
import dev.memslot.internal.Json;
import dev.memslot.model.Acted;
import dev.memslot.model.Diagnosis;
import dev.memslot.model.Injection;
import dev.memslot.model.Inspection;
import dev.memslot.model.Language;
import dev.memslot.model.PromptCard;
import dev.memslot.model.TokenReport;
import dev.memslot.model.ToolForm;
import dev.memslot.model.TurnAccount;
import java.util.List;
import java.util.function.Consumer;

/** What a {@link Memory} does about a model: its outputs, its prompts, and what its turns cost. */
abstract sealed class AgentMemory permits Memory {
  AgentMemory() {}

  /** The namespace that calls are about. */
  public abstract String namespacePath();

  abstract <Q extends Message, R, T> T run(Call<Q, R, T> call);

  /** Executes the memory actions in a model's raw output, strictly read. */
  public Acted act(String output) {
    return act(output, details -> {});
  }

  /**
   * Executes the memory actions in a model's raw output, in their order, and tells what to tell the
   * model. An action that fails is told in the result, and the others go on. Throws InvalidField-,
   * RequestIdReused- and OutcomeUnknownException.
   */
  public Acted act(String output, Consumer<ActOptions> details) {
    return run(AgentCalls.act(namespacePath(), output, details));
  }

  /** The same for a provider's message, such as OpenAI's with its tool calls. */
  public Acted act(JsonElement message, Consumer<ActOptions> details) {
    return act(Json.write(message), details);
  }

  /** The text for the system prompt: how to use memory, and the slots by rank. */
  public PromptCard promptCard() {
    return promptCard(details -> {});
  }

  /**
   * The same with more to say. It stays the same for a conversation, byte for byte, until it is
   * renewed. Throws InvalidFieldException when a bound is too small.
   */
  public PromptCard promptCard(Consumer<CardOptions> details) {
    return run(AgentCalls.promptCard(namespacePath(), details));
  }

  /** The memory actions as a provider's tools: all, or only those named. */
  public List<JsonObject> toolSchemas(ToolForm form, String... actions) {
    return toolSchemas(form, Language.EN, List.of(actions));
  }

  /** The same in a language of the model's; no actions are all of them. */
  public List<JsonObject> toolSchemas(ToolForm form, Language language, List<String> actions) {
    return run(AgentCalls.toolSchemas(form, language, actions)).tools();
  }

  /** Slots as one text for the tail of one prompt, the most important first. */
  public Injection inject(String... names) {
    return inject(List.of(names), details -> {});
  }

  /**
   * The same with more to say. Each body stands between delimiters that it cannot close; what is
   * untrusted is marked. Each body shown is an access. Throws InvalidName-, InvalidFieldException.
   */
  public Injection inject(List<String> names, Consumer<InjectOptions> details) {
    return run(AgentCalls.inject(namespacePath(), names, details));
  }

  /** A text without the injections in it, but those with the ids to keep. */
  public String scrub(String text, String... keep) {
    return text.isEmpty() ? text : run(AgentCalls.scrub(text, List.of(keep)));
  }

  /** A provider's messages without the injections in them, but those with the ids to keep. */
  public JsonArray scrub(JsonArray messages, String... keep) {
    return run(AgentCalls.scrub(messages, List.of(keep)));
  }

  /**
   * Books one call of the model, whose prompt was one text, and returns its books: sizes only, no
   * text is kept. Book it behind act, which notes the turn's actions. Throws InvalidFieldException:
   * no turn, a card that the prompt does not hold, an unknown counter.
   */
  public TurnAccount recordTurn(String prompt, Consumer<RecordOptions> details) {
    return run(TurnCalls.record(namespacePath(), prompt, details));
  }

  /** The same for a prompt of a provider's messages. */
  public TurnAccount recordTurn(JsonArray messages, Consumer<RecordOptions> details) {
    return run(TurnCalls.record(namespacePath(), messages, details));
  }

  /** What the latest recorded turns cost, and whether memory outside the prompt pays. */
  public TokenReport tokenReport() {
    return tokenReport(details -> {});
  }

  /** The same with more to say. Throws InvalidFieldException. */
  public TokenReport tokenReport(Consumer<ReportOptions> details) {
    return run(TurnCalls.report(namespacePath(), details));
  }

  /** What a prompt that is one text holds of stored bodies. */
  public Inspection inspectPrompt(String prompt) {
    return inspectPrompt(prompt, details -> {});
  }

  /**
   * The same with more to say. Whatever is in {@link Inspection#leaked} came back without an
   * injection of the turn. Found is each part of at least 40 characters of a body, and each shorter
   * body of at least 12 as a whole. Throws InvalidFieldException.
   */
  public Inspection inspectPrompt(String prompt, Consumer<InspectOptions> details) {
    return run(TurnCalls.inspect(namespacePath(), prompt, details));
  }

  /** What a prompt of a provider's messages holds of stored bodies. */
  public Inspection inspectPrompt(JsonArray messages) {
    return inspectPrompt(messages, details -> {});
  }

  /** The same with more to say. */
  public Inspection inspectPrompt(JsonArray messages, Consumer<InspectOptions> details) {
    return run(TurnCalls.inspect(namespacePath(), messages, details));
  }

  /** What is known of a turn in its five steps, and the first that broke. */
  public Diagnosis diagnose(String turn) {
    return diagnose(turn, details -> {});
  }

  /**
   * The same with more to say; an empty turn is the latest of the conversation. Throws
   * TurnNotFoundException (nothing is known of it, and nothing is given), InvalidName- and
   * InvalidFieldException.
   */
  public Diagnosis diagnose(String turn, Consumer<DiagnoseOptions> details) {
    return run(TurnCalls.diagnose(namespacePath(), turn, details));
  }
}
