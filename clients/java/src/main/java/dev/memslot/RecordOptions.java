package dev.memslot;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.memslot.internal.Json;
import dev.memslot.internal.Utf8;
import dev.memslot.model.Usage;
import dev.memslot.v1.ProviderUsage;
import dev.memslot.v1.RecordTurnRequest;
import java.util.List;

/** What is known of a call of the model that is booked. */
public final class RecordOptions {
  private final RecordTurnRequest.Builder request;

  RecordOptions(RecordTurnRequest.Builder request) {
    this.request = request;
  }

  /** The turn, instead of that of {@link Memory#inTurn}; booked before, it is booked anew. */
  public RecordOptions turn(String id) {
    request.setTurn(id);
    return this;
  }

  /** What the model answered. */
  public RecordOptions output(String text) {
    request.setOutput(Utf8.whole(text));
    return this;
  }

  /** What the model answered, as the provider's message. */
  public RecordOptions output(JsonElement message) {
    return output(Json.write(message));
  }

  /** The tools that were sent, as {@link Memory#toolSchemas} gave them. */
  public RecordOptions schemas(List<JsonObject> tools) {
    JsonArray all = new JsonArray();
    tools.forEach(all::add);
    request.setSchemasJson(Json.write(all));
    return this;
  }

  /** The prompt card that was sent, if it is not the one that the server keeps. */
  public RecordOptions card(String text) {
    request.setCard(Utf8.whole(text));
    return this;
  }

  /** What the provider said, as it said it: see {@link Usage#of}. */
  public RecordOptions usage(JsonObject said) {
    return usage(Usage.of(said));
  }

  /** What the provider said. */
  public RecordOptions usage(Usage usage) {
    ProviderUsage.Builder told = ProviderUsage.newBuilder();
    usage.promptTokens().ifPresent(told::setPromptTokens);
    usage.cachedTokens().ifPresent(told::setCachedTokens);
    usage.completionTokens().ifPresent(told::setCompletionTokens);
    request.setUsage(told);
    return this;
  }

  /** What counts tokens; the server's setting when it is not said. */
  public RecordOptions tokenCounter(String name) {
    request.setTokenCounter(name);
    return this;
  }
}
