package dev.memslot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.memslot.errors.SlotNotFoundException;
import dev.memslot.errors.StaleAttemptException;
import dev.memslot.internal.Json;
import dev.memslot.model.Acted;
import dev.memslot.model.ActionOutcome;
import dev.memslot.model.Injection;
import dev.memslot.model.Language;
import dev.memslot.model.OnRead;
import dev.memslot.model.Origin;
import dev.memslot.model.PromptCard;
import dev.memslot.model.ToolForm;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithSidecar.class)
final class AgentTest {
  /** A text's actions are executed, and the history keeps them without the stored value. */
  @Test
  void textOutput(Memory memory) {
    String output = "👋 Noted. {\"action\":\"mem_write\",\"slot\":\"name\",\"value\":\"Ada\"} Bye!";
    Acted acted = memory.act(output);
    assertEquals(ActionOutcome.DONE, acted.actions().get(0).outcome());
    assertEquals("name", acted.actions().get(0).name());
    assertEquals("Ada", memory.read("name").text());
    List<JsonObject> history = acted.history(output);
    assertEquals(
        "👋 Noted. {\"action\":\"mem_write\",\"slot\":\"name\"} Bye!",
        history.get(0).get("content").getAsString());
    assertEquals(acted.modelText(), history.get(1).get("content").getAsString());
    assertTrue(memory.act("no action").isEmpty());
  }

  /** A provider's tool calls are executed and answered in its form. */
  @Test
  void toolCalls(Memory memory) {
    JsonObject message =
        Json.readObject(
            """
            {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function",
             "function":{"name":"mem_write","arguments":"{\\"slot\\":\\"n\\",\\"value\\":\\"secret\\"}"}}]}
            """);
    Acted acted = memory.act(message, how -> {});
    assertEquals("c1", acted.toolMessages().get(0).get("tool_call_id").getAsString());
    List<JsonObject> history = acted.history(message);
    assertEquals(2, history.size());
    assertFalse(history.toString().contains("secret"));
    assertTrue(message.toString().contains("secret"));
    List<JsonObject> english = memory.toolSchemas(ToolForm.ANTHROPIC, "mem_read");
    assertEquals(1, english.size());
    assertNotEquals(
        english, memory.toolSchemas(ToolForm.ANTHROPIC, Language.ZH, List.of("mem_read")));
  }

  /** What was read goes to the application, and if asked for into a text that scrub removes. */
  @Test
  void readAndScrub(Memory memory) {
    memory.write("plan", "ship on Friday", details -> details.origin(Origin.TOOL));
    String output = "{\"action\":\"mem_read\",\"slot\":\"plan\"}";
    Acted acted = memory.act(output, how -> how.onRead(OnRead.SHOW_ONCE).lenient());
    assertEquals("ship on Friday", acted.slot("plan").orElseThrow().text());
    assertTrue(acted.injection().contains("ship on Friday"));
    assertFalse(memory.scrub("before " + acted.injection() + " after").contains("Friday"));

    Injection shown = memory.inject("plan", "none");
    assertTrue(shown.injected().get(0).untrusted());
    assertInstanceOf(SlotNotFoundException.class, shown.leftOut().get(0).error());
    JsonArray messages = new JsonArray();
    messages.add(JsonObjects.of("content", new com.google.gson.JsonPrimitive(shown.text())));
    assertFalse(memory.scrub(messages).toString().contains("Friday"));
    assertEquals("", memory.scrub(""));
  }

  /** Halves of surrogate pairs in a model's output reach the server, which reads the action. */
  @Test
  void halfSurrogates(Memory memory) {
    Acted acted =
        memory.act("\ud800 {\"action\":\"mem_write\",\"slot\":\"n\",\"value\":\"x\"} \udc00");
    assertEquals(ActionOutcome.DONE, acted.actions().get(0).outcome());
    assertEquals("a\ud800b", memory.scrub("a\ud800b"));
  }

  /** The prompt card lists the slots, and stays until it is renewed. */
  @Test
  void promptCard(Memory memory) {
    memory.write("plan", "x", details -> details.description("what to do"));
    PromptCard card = memory.promptCard();
    assertTrue(card.text().contains("what to do"));
    memory.write("later", "x");
    assertTrue(memory.promptCard(how -> how.renew()).text().contains("later"));
  }

  /** An attempt has its own memory; what it promotes is the parent's when it has succeeded. */
  @Test
  void taskSucceeds(Memory memory) {
    try (Task task = memory.beginTask("job/17")) {
      task.memory().write("draft", "one");
      task.memory().write("scratch", "two");
      task.promote("draft", "none");
      task.succeed();
      assertEquals(List.of("draft"), task.promoted());
      assertEquals(List.of("none"), task.notPromoted());
    }
    assertEquals("one", memory.read("draft").text());
    assertTrue(memory.find("scratch").isEmpty());
  }

  /** An attempt whose thread was interrupted ends as failed, and the thread stays interrupted. */
  @Test
  void taskInterrupted(Memory memory) {
    Task task = memory.beginTask("job");
    try (task) {
      Thread.currentThread().interrupt();
    }
    assertTrue(Thread.interrupted());
    assertThrows(StaleAttemptException.class, () -> task.memory().write("late", "x"));
  }

  /** An attempt that fails promotes nothing, and the next carries over what it is told to. */
  @Test
  void taskFails(Memory memory) {
    assertThrows(
        IllegalStateException.class,
        () -> {
          try (Task task = memory.beginTask("job")) {
            task.memory().write("draft", "one");
            task.promote("draft");
            throw new IllegalStateException("went wrong");
          }
        });
    assertTrue(memory.find("draft").isEmpty());
    try (Task first = memory.beginTask("job", how -> how.attempt(2).carryOver("draft"))) {
      assertEquals(List.of("draft"), first.carriedOver());
      try (Task second = memory.beginTask("job")) {
        assertEquals(3, second.attempt());
        assertEquals(
            3,
            assertThrows(StaleAttemptException.class, () -> first.memory().write("n", "x"))
                .currentAttempt());
        second.succeed();
      }
    }
  }
}
