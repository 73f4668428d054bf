package dev.memslot;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.protobuf.Message;
import dev.memslot.internal.Call;
import dev.memslot.internal.Connection;
import dev.memslot.internal.Json;
import dev.memslot.internal.Scope;
import dev.memslot.model.Acted;
import dev.memslot.model.Committed;
import dev.memslot.model.Diagnosis;
import dev.memslot.model.Forgotten;
import dev.memslot.model.Injection;
import dev.memslot.model.Inspection;
import dev.memslot.model.LookupPage;
import dev.memslot.model.PromptCard;
import dev.memslot.model.Receipt;
import dev.memslot.model.Slot;
import dev.memslot.model.SlotInfo;
import dev.memslot.model.TokenReport;
import dev.memslot.model.TurnAccount;
import dev.memslot.model.Value;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The calls of {@link Memory} that are one call of the sidecar, without waiting: the same
 * arguments, request ids, retries and exceptions. A future fails with a {@link
 * dev.memslot.errors.MemslotException}; cancelling it, or {@code orTimeout}, cancels the call. It
 * is completed by a thread of gRPC's: what follows and may block belongs to {@code thenApplyAsync}.
 */
public final class AsyncMemory {
  private final Connection connection;
  private final Scope scope;
  private final String namespace;

  AsyncMemory(Connection connection, Scope scope, String namespace) {
    this.connection = connection;
    this.scope = scope;
    this.namespace = namespace;
  }

  /** As {@link Memory#write(String, String)}. */
  public CompletableFuture<Receipt> write(String name, String text) {
    return write(name, Value.text(text), details -> {});
  }

  /** As {@link Memory#write(String, Value, Consumer)}. */
  public CompletableFuture<Receipt> write(
      String name, Value value, Consumer<WriteOptions> details) {
    return start(SlotCalls.write(namespace, WriteOptions.replacing(name, value, details)));
  }

  /** As {@link Memory#append(String, Value, Consumer)}. */
  public CompletableFuture<Receipt> append(
      String name, Value value, Consumer<WriteOptions> details) {
    return start(SlotCalls.write(namespace, WriteOptions.appending(name, value, details)));
  }

  /** As {@link Memory#patch(String, Value, Consumer)}. */
  public CompletableFuture<Receipt> patch(
      String name, Value changes, Consumer<WriteOptions> details) {
    return start(SlotCalls.write(namespace, WriteOptions.patching(name, changes, details)));
  }

  /** As {@link Memory#updateInfo}. */
  public CompletableFuture<Receipt> updateInfo(String name, Consumer<InfoOptions> details) {
    return start(SlotCalls.updateInfo(namespace, name, details));
  }

  /** As {@link Memory#read}. */
  public CompletableFuture<Slot> read(String name) {
    return start(SlotCalls.read(namespace, name));
  }

  /** As {@link Memory#describe}. */
  public CompletableFuture<SlotInfo> describe(String name) {
    return start(SlotCalls.describe(namespace, name, false));
  }

  /** As {@link Memory#lookupPage}. */
  public CompletableFuture<LookupPage> lookupPage(String prefix, Consumer<LookupOptions> details) {
    return start(SlotCalls.lookup(SlotCalls.lookupRequest(namespace, prefix, details)));
  }

  /** As {@link Memory#forget(String, Consumer)}. */
  public CompletableFuture<Receipt> forget(String name, Consumer<ForgetOptions> details) {
    return start(SlotCalls.forget(namespace, name, details));
  }

  /** As {@link Memory#forgetMatching}. */
  public CompletableFuture<Forgotten> forgetMatching(
      Condition where, Consumer<ForgetMatchingOptions> details) {
    return start(SlotCalls.forgetMatching(SlotCalls.matching(namespace, List.of(where)), details));
  }

  /** As {@link Memory#commit}. */
  public CompletableFuture<Committed> commit(Batch batch) {
    return start(SlotCalls.commit(namespace, batch));
  }

  /** As {@link Memory#act(String, Consumer)}. */
  public CompletableFuture<Acted> act(String output, Consumer<ActOptions> details) {
    return start(AgentCalls.act(namespace, output, details));
  }

  /** As {@link Memory#act(JsonElement, Consumer)}. */
  public CompletableFuture<Acted> act(JsonElement message, Consumer<ActOptions> details) {
    return act(Json.write(message), details);
  }

  /** As {@link Memory#promptCard(Consumer)}. */
  public CompletableFuture<PromptCard> promptCard(Consumer<CardOptions> details) {
    return start(AgentCalls.promptCard(namespace, details));
  }

  /** As {@link Memory#inject(List, Consumer)}. */
  public CompletableFuture<Injection> inject(List<String> names, Consumer<InjectOptions> details) {
    return start(AgentCalls.inject(namespace, names, details));
  }

  /** As {@link Memory#scrub(String, String...)}. */
  public CompletableFuture<String> scrub(String text, String... keep) {
    return text.isEmpty()
        ? CompletableFuture.completedFuture(text)
        : start(AgentCalls.scrub(text, List.of(keep)));
  }

  /** As {@link Memory#scrub(JsonArray, String...)}. */
  public CompletableFuture<JsonArray> scrub(JsonArray messages, String... keep) {
    return start(AgentCalls.scrub(messages, List.of(keep)));
  }

  /** As {@link Memory#recordTurn(String, Consumer)}. */
  public CompletableFuture<TurnAccount> recordTurn(String prompt, Consumer<RecordOptions> details) {
    return start(TurnCalls.record(namespace, prompt, details));
  }

  /** As {@link Memory#recordTurn(JsonArray, Consumer)}. */
  public CompletableFuture<TurnAccount> recordTurn(
      JsonArray messages, Consumer<RecordOptions> details) {
    return start(TurnCalls.record(namespace, messages, details));
  }

  /** As {@link Memory#tokenReport(Consumer)}. */
  public CompletableFuture<TokenReport> tokenReport(Consumer<ReportOptions> details) {
    return start(TurnCalls.report(namespace, details));
  }

  /** As {@link Memory#inspectPrompt(String, Consumer)}. */
  public CompletableFuture<Inspection> inspectPrompt(
      String prompt, Consumer<InspectOptions> details) {
    return start(TurnCalls.inspect(namespace, prompt, details));
  }

  /** As {@link Memory#inspectPrompt(JsonArray, Consumer)}. */
  public CompletableFuture<Inspection> inspectPrompt(
      JsonArray messages, Consumer<InspectOptions> details) {
    return start(TurnCalls.inspect(namespace, messages, details));
  }

  /** As {@link Memory#diagnose(String, Consumer)}. */
  public CompletableFuture<Diagnosis> diagnose(String turn, Consumer<DiagnoseOptions> details) {
    return start(TurnCalls.diagnose(namespace, turn, details));
  }

  private <Q extends Message, R, T> CompletableFuture<T> start(Call<Q, R, T> call) {
    return connection.callAsync(call, scope);
  }

  @Override
  public String toString() {
    return "AsyncMemory[" + namespace + "]";
  }
}
