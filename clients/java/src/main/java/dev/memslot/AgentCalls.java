package dev.memslot;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.protobuf.ByteString;
import dev.memslot.internal.AgentMessages;
import dev.memslot.internal.Call;
import dev.memslot.internal.Json;
import dev.memslot.internal.Utf8;
import dev.memslot.model.Acted;
import dev.memslot.model.Injection;
import dev.memslot.model.Language;
import dev.memslot.model.PromptCard;
import dev.memslot.model.ToolForm;
import dev.memslot.v1.ActRequest;
import dev.memslot.v1.ActResponse;
import dev.memslot.v1.AgentServiceGrpc;
import dev.memslot.v1.GetPromptCardRequest;
import dev.memslot.v1.GetPromptCardResponse;
import dev.memslot.v1.GetToolSchemasRequest;
import dev.memslot.v1.GetToolSchemasResponse;
import dev.memslot.v1.InjectRequest;
import dev.memslot.v1.InjectResponse;
import dev.memslot.v1.ScrubRequest;
import dev.memslot.v1.ScrubResponse;
import java.util.List;
import java.util.function.Consumer;

/** The calls about a model's turns, for both faces. */
final class AgentCalls {
  private AgentCalls() {}

  static Call<ActRequest, ActResponse, Acted> act(
      String namespace, String output, Consumer<ActOptions> details) {
    ActRequest.Builder request = ActRequest.newBuilder().setNamespace(namespace);
    if (Utf8.halfSurrogate(output) < 0) {
      request.setOutput(output);
    } else {
      request.setRawOutput(ByteString.copyFrom(Utf8.encodeHalves(output)));
    }
    details.accept(new ActOptions(request));
    int characters = output.codePointCount(0, output.length());
    return new Call<>(
        AgentServiceGrpc.getActMethod(),
        request.build(),
        Acted.class,
        reply -> AgentMessages.acted(reply, characters));
  }

  static Call<InjectRequest, InjectResponse, Injection> inject(
      String namespace, List<String> names, Consumer<InjectOptions> details) {
    InjectRequest.Builder request =
        InjectRequest.newBuilder().setNamespace(namespace).addAllNames(names);
    details.accept(new InjectOptions(request));
    return new Call<>(
        AgentServiceGrpc.getInjectMethod(),
        request.build(),
        Injection.class,
        AgentMessages::injection);
  }

  static Call<ScrubRequest, ScrubResponse, String> scrub(String text, List<String> keep) {
    if (Utf8.halfSurrogate(text) < 0) {
      return new Call<>(
          AgentServiceGrpc.getScrubMethod(),
          ScrubRequest.newBuilder().setText(text).addAllKeep(keep).build(),
          String.class,
          ScrubResponse::getText);
    }
    // What a message cannot carry goes as JSON, which can.
    JsonArray one = new JsonArray();
    one.add(text);
    Call<ScrubRequest, ScrubResponse, JsonArray> call = scrub(one, keep);
    return new Call<>(
        call.method(),
        call.request(),
        String.class,
        reply -> call.parse().apply(reply).get(0).getAsString());
  }

  static Call<ScrubRequest, ScrubResponse, JsonArray> scrub(JsonArray messages, List<String> keep) {
    return new Call<>(
        AgentServiceGrpc.getScrubMethod(),
        ScrubRequest.newBuilder().setMessagesJson(Json.write(messages)).addAllKeep(keep).build(),
        JsonArray.class,
        reply -> Json.read(reply.getMessagesJson()).getAsJsonArray());
  }

  static Call<GetPromptCardRequest, GetPromptCardResponse, PromptCard> promptCard(
      String namespace, Consumer<CardOptions> details) {
    GetPromptCardRequest.Builder request =
        GetPromptCardRequest.newBuilder().setNamespace(namespace);
    details.accept(new CardOptions(request));
    return new Call<>(
        AgentServiceGrpc.getGetPromptCardMethod(),
        request.build(),
        PromptCard.class,
        AgentMessages::card);
  }

  static Call<GetToolSchemasRequest, GetToolSchemasResponse, ToolList> toolSchemas(
      ToolForm form, Language language, List<String> actions) {
    return new Call<>(
        AgentServiceGrpc.getGetToolSchemasMethod(),
        GetToolSchemasRequest.newBuilder()
            .setFormValue(form.number())
            .setLanguageValue(language.number())
            .addAllActions(actions)
            .build(),
        ToolList.class,
        reply -> ToolList.of(Json.read(reply.getSchemasJson())));
  }

  /** The tools of a provider. */
  record ToolList(List<JsonObject> tools) {
    static ToolList of(JsonElement read) {
      return new ToolList(
          read.getAsJsonArray().asList().stream().map(JsonElement::getAsJsonObject).toList());
    }
  }
}
