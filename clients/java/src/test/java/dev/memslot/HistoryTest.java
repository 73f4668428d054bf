package dev.memslot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.memslot.internal.Json;
import dev.memslot.model.Acted;
import dev.memslot.model.ActionOutcome;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithSidecar.class)
final class HistoryTest {
  private static final String PLAIN = "{\"slot\":\"n\",\"value\":{\"deep\":\"secret\"}}";
  private static final String SHORT = "{\"slot\":\"n\"}";
  private static final String TEXT =
      "Noted 😀 {\"action\": \"mem_write\", \"slot\": \"n\", \"value\": \"sec\\\"ret\"} \"so\"";

  private static String quoted(String text) {
    return Json.write(new JsonPrimitive(text));
  }

  private static String openAi(String given) {
    return "{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"c1\",\"function\":%s}]}"
        .formatted(call(given));
  }

  private static String call(String given) {
    return "{\"name\":\"mem_write\",\"arguments\":" + given + "}";
  }

  private static String gemini(String given) {
    return "{\"parts\":[{\"functionCall\":{\"name\":\"mem_write\",\"args\":%s}}]}".formatted(given);
  }

  private static String responses(String given) {
    return "{\"output\":[{\"type\":\"function_call\",\"call_id\":\"c\",\"name\":\"mem_write\",\"arguments\":%s}]}"
        .formatted(given);
  }

  private static String blocks(String text) {
    return "{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":%s}]}"
        .formatted(quoted(text));
  }

  /** Wherever a provider's message holds an action, and however it was mended, no value is kept. */
  @Test
  void everyForm(Memory memory) {
    Map<String, String> forms =
        Map.of(
            openAi(quoted("{\"slot\": \"n\", \"value\": \"secret\",}")),
            openAi(quoted(SHORT)),
            openAi(quoted("{'slot': 'n', 'value': 'secret'}")),
            openAi(quoted(SHORT)),
            openAi(quoted(quoted(PLAIN))),
            openAi(quoted(SHORT)),
            blocks(TEXT),
            blocks("Noted 😀 {\"action\":\"mem_write\",\"slot\":\"n\"} \"so\""),
            "{\"role\":\"assistant\",\"content\":" + quoted(TEXT) + "}",
            "{\"role\":\"assistant\",\"content\":" + quoted("Noted 😀  \"so\"") + "}",
            "{\"function_call\":" + call(quoted(PLAIN)) + "}",
            "{\"function_call\":" + call(quoted(SHORT)) + "}",
            gemini(PLAIN),
            gemini(SHORT),
            responses(quoted(PLAIN)),
            responses(quoted(SHORT)),
            "[{\"role\":\"user\",\"content\":\"go on\"}," + openAi(quoted(PLAIN)) + "]",
            "{\"role\":\"user\",\"content\":\"go on\"}");
    forms.forEach((said, left) -> isKept(memory, Json.read(said), Json.read(left)));
  }

  private static void isKept(Memory memory, JsonElement said, JsonElement left) {
    Acted acted = memory.act(said, how -> how.lenient());
    assertEquals(1, acted.actions().size(), said::toString);
    assertEquals(ActionOutcome.DONE, acted.actions().get(0).outcome());
    List<JsonObject> kept = acted.history(said);
    assertEquals(left, kept.get(0));
    assertFalse(kept.toString().contains("secret"), kept::toString);
    kept.forEach(message -> message.addProperty("role", "zzz"));
    assertEquals(left, acted.history(said).get(0));
    assertFalse(acted.toolMessages().toString().contains("zzz"));
    JsonObject other = JsonObjects.of("other", said);
    assertThrows(IllegalArgumentException.class, () -> acted.history(other));
    assertThrows(IllegalArgumentException.class, () -> acted.history("secret"));
  }
}
