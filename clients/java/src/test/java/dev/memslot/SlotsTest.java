package dev.memslot;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.memslot.errors.BodyTooLargeException;
import dev.memslot.errors.ContentTypeMismatchException;
import dev.memslot.errors.InvalidNameException;
import dev.memslot.errors.RevisionMismatchException;
import dev.memslot.errors.SlotExistsException;
import dev.memslot.errors.SlotNotFoundException;
import dev.memslot.model.Attribute;
import dev.memslot.model.Committed;
import dev.memslot.model.Origin;
import dev.memslot.model.Outcome;
import dev.memslot.model.Receipt;
import dev.memslot.model.Slot;
import dev.memslot.model.SlotInfo;
import dev.memslot.model.Value;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;

@ExtendWith(WithSidecar.class)
final class SlotsTest {
  /** What is written is read: text, bytes and JSON, each under its content type. */
  @Test
  void valuesComeBack(Memory memory) {
    memory.write("text", "grüße 👋\u0000");
    memory.write("bytes", Value.bytes(new byte[] {0, -1, 7}));
    memory.write("json", Value.jsonText("{\"plan\":[1,null,\"pro\"]}"));
    memory.write("note", Value.text("# x").as("text/markdown; charset=utf-8"));

    assertEquals("grüße 👋\u0000", memory.read("text").text());
    assertEquals("text/plain", memory.read("text").contentType());
    assertArrayEquals(new byte[] {0, -1, 7}, memory.read("bytes").bytes());
    assertEquals("application/octet-stream", memory.read("bytes").contentType());
    assertEquals("{\"plan\":[1,null,\"pro\"]}", memory.read("json").json().toString());
    assertTrue(memory.read("note").value().isText());
  }

  /** Integers of any size keep every digit, in JSON values of ours and in text of anybody's. */
  @Test
  void integersOfAnySize(Memory memory) {
    BigInteger large = BigInteger.TEN.pow(700).add(BigInteger.ONE);
    memory.write("ours", Value.json(new JsonPrimitive(large)));
    memory.write("theirs", Value.jsonText("{\"id\":" + large + ",\"least\":-9223372036854775809}"));

    assertEquals(large, memory.read("ours").json().getAsBigInteger());
    JsonObject theirs = memory.read("theirs").json().getAsJsonObject();
    assertEquals(large, theirs.get("id").getAsBigInteger());
    assertEquals("-9223372036854775809", theirs.get("least").getAsString());
    memory.patch("theirs", JsonObjects.of("least", JsonNull.INSTANCE));
    assertEquals(large, memory.read("theirs").json().getAsJsonObject().get("id").getAsBigInteger());
  }

  /** Everything that may be said about a slot is known of it afterwards. */
  @Test
  void details(Memory memory) {
    memory.write(
        "plan",
        "ship",
        details ->
            details
                .description("what to do")
                .taskType("planning")
                .tags("b", "a")
                .attribute("step", Attribute.of(Long.MAX_VALUE))
                .attribute("ratio", Attribute.of(0.5))
                .attribute("open", Attribute.of(true))
                .attribute("who", Attribute.of("ada"))
                .importance(0.75)
                .pinned(true)
                .origin(Origin.MODEL)
                .ttl(Duration.ofMinutes(5)));

    SlotInfo info = memory.describe("plan");
    assertEquals("what to do", info.description());
    assertEquals("planning", info.taskType());
    assertEquals(List.of("a", "b"), info.tags());
    assertEquals(
        Map.of(
            "step", Attribute.of(Long.MAX_VALUE),
            "ratio", Attribute.of(0.5),
            "open", Attribute.of(true),
            "who", Attribute.of("ada")),
        info.attributes());
    assertEquals(0.75, info.importance());
    assertTrue(info.pinned());
    assertEquals(Origin.MODEL, info.origin());
    assertTrue(info.expireTime().orElseThrow().isAfter(Instant.now()));

    memory.updateInfo("plan", change -> change.description("").tags().pinned(false).neverExpires());
    SlotInfo changed = memory.describe("plan");
    assertEquals("", changed.description());
    assertEquals(List.of(), changed.tags());
    assertEquals("planning", changed.taskType());
  }

  /** A precondition that does not hold is an exception of its own, with the revision that holds. */
  @Test
  void preconditions(Memory memory) {
    Receipt first = memory.write("name", "Ada", WriteOptions::ifAbsent);
    assertEquals(Outcome.CREATED, first.outcome());
    assertEquals(
        first.revision(),
        assertThrows(
                SlotExistsException.class, () -> memory.write("name", "x", WriteOptions::ifAbsent))
            .currentRevision());

    Receipt second = memory.write("name", "Eve", details -> details.ifRevision(first.revision()));
    assertEquals(first.revision(), second.previousRevision());
    RevisionMismatchException lost =
        assertThrows(
            RevisionMismatchException.class,
            () -> memory.write("name", "x", details -> details.ifRevision(first.revision())));
    assertEquals(second.revision(), lost.currentRevision());
    assertEquals("REVISION_MISMATCH", lost.reason());
    assertEquals(
        0,
        assertThrows(
                RevisionMismatchException.class,
                () -> memory.forget("none", details -> details.ifRevision(1)))
            .currentRevision());
  }

  /** Appending and patching change a body where it is, and refuse what does not fit. */
  @Test
  void appendAndPatch(Memory memory) {
    memory.append("log", "one\n");
    assertEquals(Outcome.APPENDED, memory.append("log", "two\n").outcome());
    assertEquals("one\ntwo\n", memory.read("log").text());
    JsonObject changes = JsonObjects.of("a", new JsonPrimitive(1));
    assertThrows(ContentTypeMismatchException.class, () -> memory.patch("log", changes));
    memory.patch("state", changes);
    memory.patch("state", Value.jsonText("{\"b\":2,\"a\":null}"), details -> details.tags("x"));
    assertEquals("{\"b\":2}", memory.read("state").text());
    assertEquals(List.of("x"), memory.read("state").info().tags());
  }

  /** What is not there is said so: an exception for one, left out of many, empty where asked. */
  @Test
  void missing(Memory memory) {
    assertThrows(SlotNotFoundException.class, () -> memory.read("none"));
    assertThrows(SlotNotFoundException.class, () -> memory.describe("none"));
    assertEquals(Outcome.ABSENT, memory.forget("none").outcome());
    assertTrue(memory.find("none").isEmpty());
    memory.write("here", "x");
    assertEquals(Set.of("here"), memory.readMany(List.of("none", "here", "here")).keySet());
    assertEquals(Set.of("here"), memory.describeMany(List.of("none", "here")).keySet());
    assertTrue(memory.readIfChanged("here", memory.read("here").revision()).isEmpty());
    assertEquals("x", memory.readIfChanged("here", 0).map(Slot::text).orElseThrow());
  }

  /** Bodies that do not fit into one reply come in several. */
  @Test
  void manyLargeBodies(MemslotClient client, Memory memory) {
    client
        .namespaces()
        .update(memory.namespacePath(), settings -> settings.bodyLimitBytes(2_000_000));
    List<String> names = List.of("a", "b", "c", "d");
    names.forEach(name -> memory.write(name, name.repeat(1_500_000)));
    Map<String, Slot> found = memory.readMany(names);
    assertEquals(Set.copyOf(names), found.keySet());
    found.forEach((name, slot) -> assertEquals(1_500_000, slot.value().size()));
  }

  /** A commit is all or nothing, and names the operation that failed. */
  @Test
  void commit(Memory memory) {
    memory.write("old", "x");
    Committed done =
        memory.commit(new Batch().write("new", "y").forget("old").checkAbsent("other"));
    assertEquals(
        List.of(Outcome.CREATED, Outcome.FORGOTTEN, Outcome.CHECKED),
        done.receipts().stream().map(Receipt::outcome).toList());
    SlotExistsException failed =
        assertThrows(
            SlotExistsException.class,
            () -> memory.commit(new Batch().write("more", "z").checkAbsent("new")));
    assertEquals("1", failed.metadata().get("op_index"));
    assertTrue(memory.find("more").isEmpty());
  }

  /** Versions are listed and read. */
  @Test
  void versions(MemslotClient client, Memory memory) {
    client.namespaces().update(memory.namespacePath(), settings -> settings.versionsKept(3));
    long first = memory.write("draft", "one").revision();
    memory.write("draft", "two");
    assertEquals(2, memory.versions("draft").stream().count());
    assertEquals("one", memory.readVersion("draft", first).text());
  }

  /** What UTF-8 cannot hold is refused with its place, and never sent as something else. */
  @Test
  void halfSurrogates(Memory memory) {
    String half = "a\ud800";
    Map<String, Executable> calls =
        Map.of(
            "name", () -> memory.write(half, "x"),
            "namespace", () -> memory.namespace(half).read("n"),
            "tags", () -> memory.write("n", "x", details -> details.tags("t", half)),
            "attributes.value.string_value",
                () -> memory.write("n", "x", about -> about.attribute("k", Attribute.of(half))),
            "operations.forget.name", () -> memory.commit(new Batch().forget(half)),
            "filter.any_of.filters.name_prefix",
                () ->
                    memory.forgetMatching(
                        Where.anyOf(Where.nameStartsWith("b"), Where.nameStartsWith(half))),
            "names", () -> memory.async().inject(List.of("n", half), details -> {}));
    calls.forEach(
        (place, call) -> {
          String told = assertThrows(IllegalArgumentException.class, call, place).toString();
          assertTrue(told.contains(": " + place + " holds half a surrogate pair at index 1"), told);
        });
    assertEquals(0, memory.lookup("").stream().count());
  }

  /** A refused request says which field, which limit and which place. */
  @Test
  void refusals(Memory memory) {
    InvalidNameException name =
        assertThrows(InvalidNameException.class, () -> memory.write("a\u0007b", "x"));
    assertEquals("name", name.field());
    assertEquals(1, name.position().orElseThrow());
    BodyTooLargeException large =
        assertThrows(BodyTooLargeException.class, () -> memory.write("n", "x".repeat(5000)));
    assertEquals(5000, large.size());
    assertEquals(4096, large.limit());
  }
}
