package dev.memslot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.memslot.errors.InvalidFieldException;
import dev.memslot.errors.TurnNotFoundException;
import dev.memslot.internal.Json;
import dev.memslot.model.Diagnosis;
import dev.memslot.model.Inspection;
import dev.memslot.model.Language;
import dev.memslot.model.MissingSaving;
import dev.memslot.model.PromptFinding;
import dev.memslot.model.StepVerdict;
import dev.memslot.model.TokenReport;
import dev.memslot.model.ToolForm;
import dev.memslot.model.TurnAccount;
import dev.memslot.model.TurnStep;
import dev.memslot.model.Usage;
import dev.memslot.model.Verdict;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What turns cost, what leaked into a prompt, and what broke. */
@ExtendWith(WithSidecar.class)
final class TurnsTest {
  private static final String FOX =
      "The quick brown fox jumps over the lazy dog near the river bank at dawn.";

  /** A turn is booked in sizes; the report says whether it pays, and what is in the way. */
  @Test
  void recordAndReport(Sidecar sidecar, Memory own) throws Exception {
    try (MemslotClient client =
        MemslotClient.builder().target(sidecar.target()).conversation("talk").connect()) {
      Memory memory = client.namespace(own.namespacePath());
      memory.write("fox", FOX);
      TurnAccount first =
          memory
              .inTurn("1")
              .recordTurn(
                  "a prompt without it",
                  details ->
                      details
                          .output(Json.readObject("{\"role\":\"assistant\",\"content\":\"ok\"}"))
                          .usage(Json.readObject("{\"prompt_tokens\":12,\"completion_tokens\":3}"))
                          .schemas(memory.toolSchemas(ToolForm.OPENAI))
                          .tokenCounter("chars"));
      assertEquals("1", first.turn());
      assertEquals("talk", first.conversation());
      assertEquals(FOX.length(), first.bodyBytesOutside());
      assertEquals(OptionalLong.of(12), first.usage().promptTokens());
      assertEquals(OptionalLong.empty(), first.usage().cachedTokens());
      assertTrue(first.prompt().characters() > first.instruction().characters());
      TurnAccount second =
          memory.recordTurn(messages("\ud800 " + FOX), details -> details.turn("2").output(""));
      assertEquals(FOX.length(), second.leaked().characters());
      TokenReport report = memory.tokenReport(how -> how.limit(10).language(Language.EN));
      assertEquals(List.of("1", "2"), report.turns().stream().map(TurnAccount::turn).toList());
      assertEquals(FOX.length(), report.total().orElseThrow().leaked().characters());
      assertNotEquals(Verdict.UNSPECIFIED, report.verdict());
      assertTrue(
          report.problems().stream()
              .anyMatch(
                  one ->
                      one.cause() == MissingSaving.RESULTS_IN_HISTORY
                          && one.turns().equals(List.of("2"))));
      assertEquals(
          Verdict.UNSPECIFIED, memory.tokenReport(how -> how.conversation("another")).verdict());
      assertEquals(2, memory.async().tokenReport(how -> {}).get().turns().size());
      assertEquals("3", memory.async().recordTurn("of it", how -> how.turn("3")).get().turn());
      assertThrows(
          InvalidFieldException.class, () -> memory.recordTurn("of no turn", details -> {}));
      assertThrows(
          InvalidFieldException.class,
          () -> memory.recordTurn("x", details -> details.turn("4").card("no such card")));
      assertThrows(IllegalArgumentException.class, () -> memory.tokenReport(how -> how.limit(0)));
    }
  }

  /** A provider's usage is understood in the form of each provider. */
  @Test
  void usage() {
    Map<String, String> forms =
        Map.of(
            "{'prompt_tokens':9,'completion_tokens':2,'prompt_tokens_details':{'cached_tokens':4}}",
            "9 4 2",
            "{'input_tokens':9,'output_tokens':2,'input_tokens_details':{'cached_tokens':4}}",
            "9 4 2",
            "{'prompt_tokens':9,'completion_tokens':2,'cached_tokens':5}",
            "9 5 2",
            "{'input_tokens':9,'output_tokens':2,'cache_read_input_tokens':4,"
                + "'cache_creation_input_tokens':1}",
            "14 4 2",
            "{'promptTokenCount':9,'cachedContentTokenCount':4,'candidatesTokenCount':2,"
                + "'thoughtsTokenCount':5}",
            "9 4 7",
            "{'prompt_token_count':9,'candidates_token_count':2,'thoughts_token_count':null}",
            "9 - 2",
            "{}",
            "- - -");
    forms.forEach(
        (form, want) -> {
          Usage told = Usage.of(Json.readObject(form.replace('\'', '"')));
          assertEquals(
              want,
              Stream.of(told.promptTokens(), told.cachedTokens(), told.completionTokens())
                  .map(count -> count.isPresent() ? "" + count.getAsLong() : "-")
                  .collect(Collectors.joining(" ")));
        });
  }

  /** What came back unasked is found with its place; an injection of the turn allows it. */
  @Test
  void inspect(Memory memory) throws Exception {
    memory.write("fox", FOX);
    String text = "😀 " + FOX;
    Inspection ofText = memory.inspectPrompt(text, details -> details.tokenCounter("chars"));
    PromptFinding found = ofText.leaked().get(0);
    assertEquals("fox", found.name());
    assertEquals(FOX, found.span().of(text));
    assertEquals(FOX.length(), found.tokens());
    assertTrue(found.whole() && found.injectionId().isEmpty());
    assertEquals(FOX.length(), ofText.leakedCharacters());
    assertEquals("content", memory.inspectPrompt(messages(text)).leaked().get(0).field());
    assertFalse(ofText.toString().contains("quick"));
    String shown = memory.inTurn("7").inject("fox").text();
    Inspection allowed = memory.inspectPrompt(shown, details -> details.turn("7"));
    assertEquals(1, allowed.findings().size());
    assertEquals(List.of(), allowed.leaked());
    assertEquals(1, memory.async().inspectPrompt(shown, how -> {}).get().leaked().size());
    assertThrows(InvalidFieldException.class, () -> memory.inspectPrompt(""));
  }

  /** The five steps of a turn say which broke first; of an unknown turn that is said. */
  @Test
  void diagnose(Sidecar sidecar, Memory own) throws Exception {
    try (MemslotClient client =
        MemslotClient.builder().target(sidecar.target()).conversation("talk").connect()) {
      Memory memory = client.namespace(own.namespacePath());
      assertThrows(TurnNotFoundException.class, () -> memory.diagnose("1"));
      memory.inTurn("1").act("{\"action\":\"mem_write\",\"slot\":\"name\",\"value\":\"Ada\"}");
      Diagnosis well =
          memory.diagnose(
              "",
              details ->
                  details
                      .conversation("talk")
                      .slot("name")
                      .prompt(messages("go on"))
                      .answer("Ada")
                      .language(Language.EN));
      assertEquals("1", well.turn());
      assertEquals(Optional.empty(), well.firstBroken());
      assertEquals(TurnStep.STORE, well.steps().get(2).step());
      assertEquals(StepVerdict.OK, well.steps().get(2).verdict());
      String torn = "{\"action\":\"mem_write\",\"slot\":\"cut\",\"value\":\"the end is mis";
      Diagnosis broken = memory.async().diagnose("2", details -> details.output(torn)).get();
      assertEquals(Optional.of(TurnStep.PARSE), broken.firstBroken());
      assertFalse(broken.reasons().isEmpty());
      assertTrue(broken.toString().contains("\nparse: broken\n  "), broken.toString());
    }
  }

  private static JsonArray messages(String content) {
    JsonObject message = new JsonObject();
    message.addProperty("role", "user");
    message.addProperty("content", content);
    JsonArray messages = new JsonArray();
    messages.add(message);
    return messages;
  }
}
