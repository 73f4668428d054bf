package dev.memslot;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.memslot.errors.MemslotException;
import dev.memslot.model.Acted;
import dev.memslot.model.Slot;
import dev.memslot.model.Value;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithSidecar.class)
final class SilenceTest {
  private static final String SECRET = "xyzzy-plugh-1729";

  /** No exception, cause, suppressed exception or mutation shows a body. */
  @Test
  void failures(MemslotClient client, Memory memory) {
    memory.write("n", SECRET);
    List<Runnable> failing =
        List.of(
            () -> memory.write("a\u0007", SECRET),
            () -> memory.write("n", SECRET.repeat(1000)),
            () -> memory.write("n", Value.text(SECRET.repeat(400_000))),
            () -> memory.write("n", Value.jsonText(SECRET)),
            () -> memory.write("n", SECRET, WriteOptions::ifAbsent),
            () -> memory.withTimeout(Duration.ofNanos(1)).write("n", SECRET),
            () -> memory.patch("n", Value.jsonText("{\"a\":\"" + SECRET + "\"}"), how -> {}),
            () -> memory.commit(new Batch().write("new", SECRET).checkAbsent("n")),
            () -> memory.act(SECRET, how -> how.requestId(new java.util.UUID(0, 0)).turn("\u0000")),
            () -> memory.read("n").json(),
            () -> Value.text(SECRET + "\ud800"),
            () -> Value.json(new com.google.gson.JsonPrimitive(Double.NaN)),
            () -> client.namespace("bad//path").write("n", SECRET));
    for (int number = 0; number < failing.size(); number++) {
      String text = printed(failing.get(number));
      assertFalse(text.contains(SECRET), "number " + number + ": " + text);
    }
  }

  private static String printed(Runnable failing) {
    StringWriter text = new StringWriter();
    try {
      failing.run();
    } catch (RuntimeException error) {
      error.printStackTrace(new PrintWriter(text, true));
      text.append(error.toString());
      if (error instanceof MemslotException known) {
        text.append(known.metadata() + "" + known.mutation());
      }
    }
    return text.toString();
  }

  /** No printed form of what calls take and return shows a body. */
  @Test
  void printedForms(Memory memory) {
    memory.write("n", SECRET);
    Slot slot = memory.read("n");
    Acted acted =
        memory.act(
            SECRET + "{\"action\":\"mem_write\",\"slot\":\"m\",\"value\":\"" + SECRET + "\"}");
    List<Object> shown = new ArrayList<>();
    shown.add(slot);
    shown.add(slot.value());
    shown.add(acted);
    shown.add(acted.actions());
    shown.add(memory.inject("n"));
    shown.add(memory.summary("n"));
    shown.add(new Batch().write("n", SECRET));
    shown.add(SlotCalls.write("x", WriteOptions.replacing("n", Value.text(SECRET), how -> {})));
    shown.add(memory);
    shown.add(memory.async());
    assertFalse(shown.toString().contains(SECRET), shown::toString);
    assertTrue(shown.toString().contains(SECRET.length() + " bytes"), shown::toString);
  }

  /** Nothing is logged of a body, at whatever level gRPC and the client log. */
  @Test
  void logs(Memory memory) {
    List<String> lines =
        Logged.during(
            Level.ALL,
            () -> {
              memory.write("n", SECRET);
              memory.read("n");
              printed(() -> memory.write("n", SECRET, WriteOptions::ifAbsent));
              printed(() -> memory.write("n", SECRET.repeat(1000)));
            });
    assertFalse(lines.toString().contains(SECRET));
  }
}
