package dev.memslot.examples;

import dev.memslot.Memory;
import dev.memslot.MemslotClient;
import dev.memslot.model.Acted;
import dev.memslot.model.OnRead;
import java.util.List;
import java.util.UUID;

/**
 * Save a name, change the subject, ask for it: the name is in memory, not in the prompt. The model
 * is scripted; a real one gets {@code memory.promptCard()} and writes such actions by itself.
 */
public final class SaveAName {
  private static final List<String> USER =
      List.of("My name is Ada Lovelace.", "What is 6 times 7?", "What is my name?");

  private SaveAName() {}

  /** Talks to the sidecar that MEMSLOT_TARGET names. */
  public static void main(String[] arguments) {
    try (MemslotClient client = MemslotClient.builder().agent("save-a-name").connect()) {
      talk(client.namespace("examples/" + UUID.randomUUID()));
    }
  }

  private static void talk(Memory memory) {
    for (String said : USER) {
      System.out.println("user:   " + said);
      Acted acted = memory.act(model(said, ""), how -> how.onRead(OnRead.SHOW_ONCE));
      if (!acted.isEmpty()) {
        System.out.println("memory: " + acted.modelText());
      }
      // What was read is shown to the model for one call, and never becomes history.
      String answer =
          acted.injection().isEmpty()
              ? acted.userText().strip()
              : model(said, acted.slot("user_name").orElseThrow().text());
      System.out.println("model:  " + answer);
    }
  }

  private static String model(String said, String shown) {
    if (!shown.isEmpty()) {
      return "You are " + shown + ".";
    }
    return switch (said) {
      case "My name is Ada Lovelace." ->
          """
          Nice to meet you!
          {"action": "mem_write", "slot": "user_name", "value": "Ada Lovelace"}""";
      case "What is my name?" -> "{\"action\": \"mem_read\", \"slot\": \"user_name\"}";
      default -> "42.";
    };
  }
}
