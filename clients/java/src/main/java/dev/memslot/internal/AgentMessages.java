package dev.memslot.internal;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.memslot.errors.MemslotExceptions;
import dev.memslot.model.Acted;
import dev.memslot.model.Action;
import dev.memslot.model.ActionOutcome;
import dev.memslot.model.FoundNames;
import dev.memslot.model.InjectedSlot;
import dev.memslot.model.Injection;
import dev.memslot.model.LeftOut;
import dev.memslot.model.Origin;
import dev.memslot.model.PromptCard;
import dev.memslot.model.Reject;
import dev.memslot.model.Span;
import dev.memslot.v1.ActResponse;
import dev.memslot.v1.ActionResult;
import dev.memslot.v1.GetPromptCardResponse;
import dev.memslot.v1.InjectResponse;
import dev.memslot.v1.ToolForm;
import dev.memslot.v1.ToolMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** From messages about a model's turns to values. */
public final class AgentMessages {
  private AgentMessages() {}

  /** What came of an output of so many characters. */
  public static Acted acted(ActResponse reply, int characters) {
    return new Acted(
        reply.getActionsList().stream().map(AgentMessages::action).toList(),
        reply.getRejectsList().stream()
            .map(
                one ->
                    new Reject(
                        one.getReason(), span(one.getSpan()), one.getHint(), one.getCallId()))
            .toList(),
        reply.getModelText(),
        answers(reply.getToolMessagesList()),
        reply.getUserText(),
        reply.getInjection(),
        reply.getInjectedList().stream().map(AgentMessages::injected).toList(),
        characters,
        reply.getRevision());
  }

  private static Action action(ActionResult message) {
    return new Action(
        message.getAction(),
        message.getArgumentsJson(),
        span(message.getSpan()),
        Enums.of(ActionOutcome.class, message.getOutcomeValue()),
        message.getLine(),
        List.copyOf(message.getRepairedList()),
        message.getCallId(),
        message.getShape(),
        message.hasReceipt()
            ? Optional.of(SlotMessages.receipt(message.getReceipt()))
            : Optional.empty(),
        message.hasSlot() ? Optional.of(SlotMessages.slot(message.getSlot())) : Optional.empty(),
        message.hasFound()
            ? Optional.of(
                new FoundNames(
                    List.copyOf(message.getFound().getNamesList()), message.getFound().getMore()))
            : Optional.empty(),
        message.hasError()
            ? Optional.of(MemslotExceptions.of(message.getError()))
            : Optional.empty());
  }

  /** OpenAI's messages as they are; Anthropic's content blocks together in one message. */
  private static List<JsonObject> answers(List<ToolMessage> messages) {
    List<JsonObject> answers = new ArrayList<>();
    JsonArray blocks = new JsonArray();
    for (ToolMessage message : messages) {
      JsonObject told = Json.readObject(message.getMessageJson());
      if (message.getForm() == ToolForm.TOOL_FORM_ANTHROPIC) {
        blocks.add(told);
      } else {
        answers.add(told);
      }
    }
    if (!blocks.isEmpty()) {
      JsonObject message = new JsonObject();
      message.addProperty("role", "user");
      message.add("content", blocks);
      answers.add(message);
    }
    return List.copyOf(answers);
  }

  private static Span span(dev.memslot.v1.Span message) {
    return new Span(message.getStart(), message.getEnd());
  }

  private static InjectedSlot injected(dev.memslot.v1.InjectedSlot message) {
    return new InjectedSlot(
        message.getName(),
        message.getRevision(),
        message.getSummarised(),
        Enums.of(Origin.class, message.getOriginValue()),
        message.getUntrusted(),
        message.getInjectionId(),
        message.getCharacters());
  }

  /** Slots as one text. */
  public static Injection injection(InjectResponse reply) {
    return new Injection(
        reply.getText(),
        reply.getInjectedList().stream().map(AgentMessages::injected).toList(),
        reply.getLeftOutList().stream()
            .map(one -> new LeftOut(one.getName(), MemslotExceptions.of(one.getStatus())))
            .toList(),
        reply.getTokens(),
        reply.getTokenCounter(),
        reply.getRevision());
  }

  /** What a model is told of its memory. */
  public static PromptCard card(GetPromptCardResponse reply) {
    return new PromptCard(
        reply.getCard(),
        reply.getTail(),
        reply.getListed(),
        reply.getSlots(),
        reply.getCardRevision(),
        reply.getRenewed(),
        reply.getTokens(),
        reply.getTokenCounter(),
        reply.getRevision());
  }
}
