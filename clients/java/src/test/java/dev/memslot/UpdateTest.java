package dev.memslot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.gson.JsonArray;
import com.google.gson.JsonPrimitive;
import dev.memslot.errors.RevisionMismatchException;
import dev.memslot.errors.SlotNotFoundException;
import dev.memslot.model.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithSidecar.class)
final class UpdateTest {
  private static final int WRITERS = 8;
  private static final int EACH = 10;

  /** Concurrent updates lose nothing: each is there exactly once. */
  @Test
  void concurrentUpdates(Memory memory) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    List<Callable<Void>> writers = new ArrayList<>();
    for (int writer = 0; writer < WRITERS; writer++) {
      int first = writer * EACH;
      writers.add(
          () -> {
            for (int number = first; number < first + EACH; number++) {
              append(memory, number);
            }
            return null;
          });
    }
    try {
      for (Future<Void> one : threads.invokeAll(writers)) {
        one.get();
      }
    } finally {
      threads.shutdown();
    }
    List<Integer> stored = new ArrayList<>();
    memory.read("list").json().getAsJsonArray().forEach(item -> stored.add(item.getAsInt()));
    assertEquals(WRITERS * EACH, stored.size());
    assertEquals(WRITERS * EACH, stored.stream().distinct().count());
  }

  private static void append(Memory memory, int number) {
    memory.update(
        "list",
        details -> details.initial(Value.json(new JsonArray())).attempts(1000),
        value -> {
          JsonArray items = value.json().getAsJsonArray();
          items.add(new JsonPrimitive(number));
          return Value.json(items);
        });
  }

  /** A missing slot is an error, unless there is something to begin with. */
  @Test
  void missing(Memory memory) {
    assertThrows(SlotNotFoundException.class, () -> memory.update("none", value -> value));
    memory.update("none", Value.text("a"), value -> Value.text(value.text() + "b"));
    assertEquals("ab", memory.read("none").text());
  }

  /** The slot keeps its content type while the value is of its kind, and takes another's. */
  @Test
  void contentType(Memory memory) {
    memory.write("note", Value.text("a").as("text/markdown"));
    memory.update("note", value -> Value.text(value.text() + "b"));
    assertEquals("text/markdown", memory.read("note").contentType());
    memory.update("note", value -> Value.jsonText("[]"));
    assertEquals("application/json", memory.read("note").contentType());
  }

  /** Who loses every attempt is told so. */
  @Test
  void losing(Memory memory) {
    memory.write("n", "0");
    assertThrows(
        RevisionMismatchException.class,
        () ->
            memory.update(
                "n",
                details -> details.attempts(3),
                value -> {
                  memory.write("n", value.text() + "!");
                  return Value.text("mine");
                }));
    assertEquals("0!!!", memory.read("n").text());
  }
}
