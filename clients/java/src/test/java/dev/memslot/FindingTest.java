package dev.memslot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.memslot.errors.IndexNotEnabledException;
import dev.memslot.errors.InvalidPageTokenException;
import dev.memslot.errors.TooManyMatchesException;
import dev.memslot.model.Attribute;
import dev.memslot.model.Entry;
import dev.memslot.model.Forgotten;
import dev.memslot.model.IndexMode;
import dev.memslot.model.LookupPage;
import dev.memslot.model.Order;
import dev.memslot.model.SearchMode;
import dev.memslot.model.SearchResult;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithSidecar.class)
final class FindingTest {
  /** Iterating over pages gives each slot once, in order, as often as one iterates. */
  @Test
  void pages(Memory memory) {
    List<String> names = IntStream.range(0, 25).mapToObj("n%02d"::formatted).toList();
    names.forEach(name -> memory.write(name, "x"));
    memory.write("other", "x");
    Pages<Entry> pages =
        memory.lookup("n", details -> details.order(Order.NAME).pageSize(10).info());
    assertEquals(names, pages.stream().map(Entry::name).toList());
    assertEquals(names, pages.stream().map(Entry::name).toList());
    assertTrue(pages.iterator().next().info().isPresent());
  }

  /** A stream that wants few asks for few. */
  @Test
  void limitedStream(Sidecar sidecar, Memory memory) {
    IntStream.range(0, 5).forEach(number -> memory.write("n" + number, "x"));
    List<String> found =
        memory.lookup("n", details -> details.order(Order.NAME).pageSize(1)).stream()
            .map(Entry::name)
            .limit(2)
            .toList();
    assertEquals(List.of("n0", "n1"), found);
    long lookups =
        sidecar.audit().stream()
            .filter(line -> line.contains("\"Lookup\"") && line.contains(memory.namespacePath()))
            .count();
    assertTrue(lookups <= 3, "lookups: " + lookups);
  }

  /** One page can be kept, and a token of another query is refused. */
  @Test
  void onePage(Memory memory) {
    IntStream.range(0, 3).forEach(number -> memory.write("n" + number, "x"));
    LookupPage page = memory.lookupPage("n", details -> details.pageSize(2).total());
    assertEquals(2, page.entries().size());
    assertEquals(3, page.total().orElseThrow());
    LookupPage next =
        memory.lookupPage("n", details -> details.pageSize(2).pageToken(page.nextPageToken()));
    assertEquals(1, next.entries().size());
    assertThrows(
        InvalidPageTokenException.class,
        () -> memory.lookupPage("m", details -> details.pageToken(page.nextPageToken())));
  }

  /** Conditions are those of the contract. */
  @Test
  void conditions(Memory memory) {
    memory.write("a", "x", details -> details.tags("crm").attribute("step", Attribute.of(3)));
    memory.write("b", "xyz", details -> details.tags("todo").importance(0.9));
    memory.write("c", "x", details -> details.taskType("chat"));
    assertEquals(List.of("a"), names(memory, Where.tagsAny("crm")));
    assertEquals(
        List.of("a"), names(memory, Where.attribute("step").greaterThan(Attribute.of(2.5))));
    assertEquals(List.of("b"), names(memory, Where.bodyBytes(2L, null)));
    assertEquals(List.of("b"), names(memory, Where.importance(0.5, null)));
    assertEquals(
        List.of("b", "c"), names(memory, Where.taskTypeIn("chat").or(Where.nameStartsWith("b"))));
    assertEquals(
        List.of("b"), names(memory, Where.taskTypeIn("chat").not().and(Where.tagsNone("crm"))));
    assertEquals(List.of("b", "c"), names(memory, Where.attribute("step").missing()));
  }

  private static List<String> names(Memory memory, Condition where) {
    return memory.lookup("", details -> details.where(where).order(Order.NAME)).stream()
        .map(Entry::name)
        .toList();
  }

  /** A search finds by words what was just written; without an index it says how to get one. */
  @Test
  void search(MemslotClient client, Memory memory) {
    assertThrows(IndexNotEnabledException.class, () -> memory.search("refund"));
    client
        .namespaces()
        .update(
            memory.namespacePath(),
            settings -> settings.indexMode(IndexMode.FULLTEXT).slotLimit(1000));
    IntStream.range(0, 130).forEach(number -> memory.write("n" + number, "a refund " + number));
    SearchResult found = memory.search("refund", details -> details.limit(120).info());
    assertEquals(SearchMode.FULLTEXT, found.mode());
    assertEquals(120, found.names().stream().distinct().count());
    assertTrue(found.hits().get(0).info().isPresent());
    assertEquals(List.of("n77"), memory.search("\"refund 77\"").names());
    assertThrows(IllegalArgumentException.class, () -> memory.search(""));
  }

  /** Forgetting what matches removes that and nothing else, within the bound that was said. */
  @Test
  void forgetMatching(Memory memory) {
    IntStream.range(0, 4).forEach(number -> memory.write("n" + number, "x"));
    memory.write("keep", "x");
    Condition where = Where.nameStartsWith("n");
    assertEquals(
        4,
        assertThrows(
                TooManyMatchesException.class,
                () -> memory.forgetMatching(where, details -> details.maximum(3)))
            .matches());
    Forgotten some = memory.forgetMatching(where, details -> details.atMost(3));
    assertEquals(3, some.count());
    assertTrue(some.moreRemain());
    memory.forgetMatching(where, details -> {});
    assertEquals(List.of("keep"), memory.lookup("").stream().map(Entry::name).toList());
    assertEquals(1, memory.forgetEverything(details -> {}).count());
  }
}
