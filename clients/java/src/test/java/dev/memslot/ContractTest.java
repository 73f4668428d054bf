package dev.memslot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonPrimitive;
import com.google.protobuf.Any;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.rpc.Code;
import com.google.rpc.ErrorInfo;
import com.google.rpc.Status;
import dev.memslot.errors.AbortedException;
import dev.memslot.errors.MemslotException;
import dev.memslot.errors.MemslotExceptions;
import dev.memslot.errors.RevisionMismatchException;
import dev.memslot.internal.Json;
import dev.memslot.model.ActionOutcome;
import dev.memslot.model.IndexMode;
import dev.memslot.model.Language;
import dev.memslot.model.Match;
import dev.memslot.model.Numbered;
import dev.memslot.model.OnRead;
import dev.memslot.model.Order;
import dev.memslot.model.Origin;
import dev.memslot.model.Outcome;
import dev.memslot.model.Overflow;
import dev.memslot.model.ReceiptWarning;
import dev.memslot.model.SearchMode;
import dev.memslot.model.SummaryMode;
import dev.memslot.model.SummarySource;
import dev.memslot.model.ToolForm;
import dev.memslot.model.Value;
import dev.memslot.model.VectorIndexKind;
import dev.memslot.v1.LookupOrder;
import dev.memslot.v1.Warning;
import io.grpc.protobuf.StatusProto;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class ContractTest {
  private static final Map<Class<? extends Numbered>, EnumDescriptor> SETS =
      Map.ofEntries(
          Map.entry(Origin.class, dev.memslot.v1.Origin.getDescriptor()),
          Map.entry(Outcome.class, dev.memslot.v1.Outcome.getDescriptor()),
          Map.entry(ReceiptWarning.class, Warning.getDescriptor()),
          Map.entry(Overflow.class, dev.memslot.v1.Overflow.getDescriptor()),
          Map.entry(IndexMode.class, dev.memslot.v1.IndexMode.getDescriptor()),
          Map.entry(VectorIndexKind.class, dev.memslot.v1.VectorIndexKind.getDescriptor()),
          Map.entry(SummaryMode.class, dev.memslot.v1.SummaryMode.getDescriptor()),
          Map.entry(SummarySource.class, dev.memslot.v1.SummarySource.getDescriptor()),
          Map.entry(SearchMode.class, dev.memslot.v1.SearchMode.getDescriptor()),
          Map.entry(Match.class, dev.memslot.v1.Match.getDescriptor()),
          Map.entry(Order.class, LookupOrder.getDescriptor()),
          Map.entry(Language.class, dev.memslot.v1.Language.getDescriptor()),
          Map.entry(OnRead.class, dev.memslot.v1.OnRead.getDescriptor()),
          Map.entry(ActionOutcome.class, dev.memslot.v1.ActionOutcome.getDescriptor()),
          Map.entry(ToolForm.class, dev.memslot.v1.ToolForm.getDescriptor()));

  /** Each closed set has the contract's members under the contract's numbers. */
  @Test
  void closedSets() {
    SETS.forEach(
        (kind, contract) -> {
          assertEquals(contract.getValues().size(), kind.getEnumConstants().length, kind.getName());
          for (Numbered member : kind.getEnumConstants()) {
            EnumValueDescriptor value = contract.findValueByNumber(member.number());
            assertTrue(value.getName().endsWith("_" + member), value.getName());
          }
        });
  }

  /** The service config is that of all languages. */
  @Test
  void serviceConfig() throws Exception {
    assertEquals(
        Files.readString(Path.of("../service_config.json")),
        Files.readString(Path.of("src/main/resources/dev/memslot/service_config.json")));
  }

  /** A reason of a newer server is thrown as its code's class, with all that was said. */
  @Test
  void reasons() {
    assertEquals(
        Long.MAX_VALUE,
        assertInstanceOf(
                RevisionMismatchException.class, MemslotExceptions.of(status("REVISION_MISMATCH")))
            .currentRevision());
    MemslotException unknown = MemslotExceptions.of(status("OF_TOMORROW"));
    assertEquals(AbortedException.class, unknown.getClass());
    assertEquals("OF_TOMORROW", unknown.reason());
    assertEquals(Map.of("current_revision", "9223372036854775807"), unknown.metadata());
    assertEquals(1, unknown.details().size());
    assertEquals("OF_TOMORROW: said", unknown.getMessage());
  }

  /** A reason of another domain, such as a proxy's, is none. */
  @Test
  void reasonsOfOthers() {
    ErrorInfo foreign =
        ErrorInfo.newBuilder().setReason("SLOT_NOT_FOUND").setDomain("proxy.example").build();
    Status alone =
        Status.newBuilder()
            .setCode(Code.INTERNAL_VALUE)
            .setMessage("told\nbehind")
            .addDetails(Any.pack(foreign))
            .build();
    MemslotException failed = MemslotExceptions.of(StatusProto.toStatusRuntimeException(alone));
    assertEquals("", failed.reason());
    assertEquals(1, failed.details().size());
    assertEquals("INTERNAL: told", failed.getMessage());
    Status beside = status("REVISION_MISMATCH");
    Status both =
        beside.toBuilder().clearDetails().addDetails(Any.pack(foreign)).mergeFrom(beside).build();
    assertInstanceOf(RevisionMismatchException.class, MemslotExceptions.of(both));
  }

  private static Status status(String reason) {
    ErrorInfo info =
        ErrorInfo.newBuilder()
            .setReason(reason)
            .setDomain("memslot")
            .putMetadata("current_revision", String.valueOf(Long.MAX_VALUE))
            .build();
    return Status.newBuilder()
        .setCode(Code.ABORTED_VALUE)
        .setMessage("said")
        .addDetails(Any.pack(info))
        .build();
  }

  /** Any strings become a path that gives them back. */
  @Test
  void namespacePaths() {
    assertEquals("acme/a@b.com", NamespacePath.of("acme", "a@b.com"));
    assertEquals("a%2Fb/%20x%20/%2E%2E/%25", NamespacePath.of("a/b", " x ", "..", "%"));
    assertEquals("e%CC%81", NamespacePath.of("e\u0301"));
    assertEquals(List.of("50%", "x"), NamespacePath.split("50%/x"));
    Random random = new Random(7);
    String letters = "a%/. \u0301é\ud800\udc00\u2028\u202e\u0000中";
    for (int round = 0; round < 2000; round++) {
      StringBuilder part = new StringBuilder();
      for (int size = 1 + random.nextInt(6); size > 0; size--) {
        part.append(letters.charAt(random.nextInt(letters.length())));
      }
      List<String> parts = List.of(part.toString(), "x");
      assertEquals(parts, NamespacePath.split(NamespacePath.of(parts)));
    }
    assertThrows(IllegalArgumentException.class, () -> NamespacePath.of("a", ""));
    assertThrows(IllegalArgumentException.class, () -> NamespacePath.of("x".repeat(129)));
    assertThrows(
        IllegalArgumentException.class,
        () -> NamespacePath.of("a", "b", "c", "d", "e", "f", "g", "h", "i"));
  }

  /** JSON is read strictly and whole, and written with what it holds. */
  @Test
  void json() {
    for (String text : List.of("", "{", "[1,]", "nul", "{a:1}", "[NaN]", "1 2", "'x'")) {
      assertThrows(IllegalArgumentException.class, () -> Json.read(text), text);
    }
    String kept = "{\"a\":[1e400,-0,12345678901234567890,0.1,null,\"\\ud800<é\"]}";
    JsonElement value = Json.read(kept);
    assertEquals(kept, Json.write(value));
    assertEquals(value, Value.json(value).json());
    JsonPrimitive halves = new JsonPrimitive("a\udc00".repeat(50_000));
    assertEquals(350_002, Json.write(halves).length());
    assertEquals(halves, Json.read(Json.write(halves)));
    JsonArray deep = new JsonArray();
    for (int level = 0; level < 100; level++) {
      JsonArray around = new JsonArray();
      around.add(deep);
      deep = around;
    }
    JsonArray tooDeep = deep;
    assertThrows(IllegalArgumentException.class, () -> Json.write(tooDeep));
    assertThrows(IllegalArgumentException.class, () -> Json.write(new JsonPrimitive(Double.NaN)));
  }
}
