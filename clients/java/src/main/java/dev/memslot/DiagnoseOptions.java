package dev.memslot;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import dev.memslot.internal.Json;
import dev.memslot.internal.Utf8;
import dev.memslot.model.Language;
import dev.memslot.v1.DiagnoseTurnRequest;

/** What is known of a turn besides what the sidecar noted. */
public final class DiagnoseOptions {
  private final DiagnoseTurnRequest.Builder request;

  DiagnoseOptions(DiagnoseTurnRequest.Builder request) {
    this.request = request.setLanguageValue(Language.EN.number());
  }

  /** The conversation, instead of the client's. */
  public DiagnoseOptions conversation(String name) {
    request.setConversation(name);
    return this;
  }

  /** The slot that matters, instead of those of the turn's actions. */
  public DiagnoseOptions slot(String name) {
    request.setName(name);
    return this;
  }

  /** What the model wrote, to be parsed again. */
  public DiagnoseOptions output(String text) {
    request.setOutput(Utf8.whole(text));
    return this;
  }

  /** What the model wrote, as the provider's message. */
  public DiagnoseOptions output(JsonElement message) {
    return output(Json.write(message));
  }

  /** The prompt that came after it. */
  public DiagnoseOptions prompt(String text) {
    request.setPrompt(Utf8.whole(text));
    return this;
  }

  /** The prompt that came after it, as a provider's messages. */
  public DiagnoseOptions prompt(JsonArray messages) {
    return prompt(Json.write(messages));
  }

  /** What the user was told, to be compared with the slot. */
  public DiagnoseOptions answer(String text) {
    request.setAnswer(Utf8.whole(text));
    return this;
  }

  /** The language of the texts. */
  public DiagnoseOptions language(Language language) {
    request.setLanguageValue(language.number());
    return this;
  }
}
