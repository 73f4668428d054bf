package dev.memslot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.memslot.errors.DeadlineExceededException;
import dev.memslot.errors.MemslotException;
import dev.memslot.errors.OutcomeUnknownException;
import dev.memslot.errors.ResourceExhaustedException;
import dev.memslot.errors.SlotNotFoundException;
import dev.memslot.errors.UnreachableException;
import dev.memslot.model.Receipt;
import dev.memslot.model.Value;
import dev.memslot.v1.ReadRequest;
import dev.memslot.v1.SlotServiceGrpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.Status;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(WithSidecar.class)
final class ConnectionTest {
  /** A Unix socket does what TCP does. */
  @Test
  void unixSocket(Sidecar sidecar) {
    try (MemslotClient client = MemslotClient.connect(sidecar.socket())) {
      client.namespace("sockets").write("n", "x");
      assertEquals("x", client.namespace("sockets").read("n").text());
    }
  }

  /** A socket is found under its very path, whatever characters that has; it may be relative. */
  @Test
  void socketPaths(Sidecar sidecar, @TempDir Path folder) throws IOException {
    Path socket = Path.of(sidecar.socket().substring("unix:".length()));
    for (String name : List.of("a b", "a?b", "a#b", "a%20b", "a%zz", "日本", "a:b", "[x]", "a+b")) {
      Path path = Files.createSymbolicLink(folder.resolve(name), socket);
      Path relative = Path.of("").toAbsolutePath().relativize(path);
      for (String target : List.of("unix:" + path, "unix://" + path, "unix:" + relative)) {
        try (MemslotClient client = MemslotClient.connect(target)) {
          assertEquals("n", client.namespace("sockets").write("n", "x").name(), target);
        }
      }
      Files.delete(path);
    }
  }

  /** The same slots of another namespace are one step away, and nothing of them is shared. */
  @Test
  void otherNamespace(MemslotClient client, Memory memory) {
    Memory other = memory.namespace(memory.namespacePath() + "/other");
    assertEquals(memory.namespacePath() + "/other", other.namespacePath());
    other.write("n", "there");
    assertEquals("there", client.namespace(other.namespacePath()).read("n").text());
    assertTrue(memory.find("n").isEmpty());
  }

  /** A Unix socket connects without a word in anybody's log. */
  @Test
  void unixSocketIsQuiet(Sidecar sidecar) {
    List<String> warnings =
        Logged.during(
            Level.WARNING,
            () -> {
              try (MemslotClient client = MemslotClient.connect(sidecar.socket())) {
                client.namespace("sockets").write("quiet", "x");
              }
            });
    assertEquals(List.of(), warnings);
  }

  /** Nobody there is told at once, with the reason, and nothing was sent. */
  @Test
  void unreachable() {
    try (MemslotClient client = MemslotClient.connect("127.0.0.1:1")) {
      UnreachableException error =
          assertThrows(UnreachableException.class, () -> client.memory().write("n", "x"));
      assertTrue(error.toString().contains("127.0.0.1:1"), error.getMessage());
      assertTrue(error.toString().contains("Connection refused"), error.getMessage());
      ExecutionException later =
          assertThrows(ExecutionException.class, () -> client.memory().async().read("n").get());
      assertInstanceOf(UnreachableException.class, later.getCause());
    }
  }

  /** A socket that is not there is named, with the reason. */
  @Test
  void noSocket(@TempDir Path folder) {
    try (MemslotClient client = MemslotClient.connect("unix:" + folder.resolve("none"))) {
      String told =
          assertThrows(UnreachableException.class, () -> client.memory().read("n")).toString();
      assertTrue(told.contains("none") && told.contains("FileNotFoundException"), told);
    }
  }

  /**
   * A token is shown to nobody before somebody is there, and its source is asked by calls alone.
   */
  @Test
  void tokenOfNobody() {
    Supplier<String> closed =
        () -> {
          throw new IllegalStateException("the vault is closed");
        };
    try (MemslotClient client =
        MemslotClient.builder()
            .target("127.0.0.1:1")
            .token(closed)
            .timeout(Duration.ofSeconds(20))
            .connect()) {
      String told =
          assertThrows(UnreachableException.class, () -> client.memory().read("n")).toString();
      assertTrue(told.contains("Connection refused"), told);
    }
  }

  /** A token that no header can hold is refused, before the call and without being logged. */
  @Test
  void tokensThatCannotBeSent(Sidecar sidecar) {
    for (String token : List.of("t0ps3cret\n", " t0ps3cret", "t0ps3crét", "t0ps3cret\u0000", "")) {
      MemslotClientBuilder builder = MemslotClient.builder().target(sidecar.target());
      assertThrows(IllegalArgumentException.class, () -> builder.token(token));
      try (MemslotClient client = builder.token(() -> token).connect()) {
        List<String> logged =
            Logged.during(
                Level.WARNING,
                () -> {
                  String told =
                      assertThrows(
                              IllegalArgumentException.class, () -> client.memory().write("n", "x"))
                          .toString();
                  assertFalse(told.contains("t0ps3cret"), told);
                });
        assertEquals(List.of(), logged);
      }
    }
  }

  /** What takes as long as the store is large has an hour, unless it is told otherwise. */
  @Test
  void longCalls(Sidecar sidecar) throws IOException {
    Duration none = Duration.ofNanos(1);
    try (MemslotClient client =
        MemslotClient.builder().target(sidecar.target()).timeout(none).connect()) {
      Admin admin = client.admin();
      admin.check();
      assertTrue(admin.backup(OutputStream.nullOutputStream()).totalBytes() > 0);
      assertThrows(DeadlineExceededException.class, admin::serverInfo);
      assertThrows(DeadlineExceededException.class, () -> admin.withTimeout(none).check());
    }
  }

  /** However long a timeout is, it is one. */
  @Test
  void longestTimeout(Memory memory) {
    Memory patient = memory.withTimeout(Duration.ofSeconds(Long.MAX_VALUE));
    assertEquals("n", patient.write("n", "x").name());
  }

  /** A thread that is interrupted gets no answer, stays interrupted, and has sent nothing. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void interrupted(boolean connected, Sidecar sidecar, Memory memory) {
    try (MemslotClient client = MemslotClient.connect(sidecar.target())) {
      if (connected) {
        assertTrue(client.namespace(memory.namespacePath()).find("n").isEmpty());
      }
      Thread.currentThread().interrupt();
      MemslotException error =
          assertThrows(
              MemslotException.class,
              () -> client.namespace(memory.namespacePath()).write("n", "x"));
      assertTrue(Thread.interrupted());
      assertEquals(Status.Code.CANCELLED, error.code());
      assertEquals("", error.reason());
    }
    assertTrue(memory.find("n").isEmpty());
  }

  /** Who asks is told in the audit, whatever its letters. */
  @Test
  void whoAsks(Sidecar sidecar) {
    MemslotClientBuilder builder = MemslotClient.builder().target(sidecar.target());
    try (MemslotClient client = builder.agent("agént").conversation("c-1").connect()) {
      client.namespace("said").inTurn("turn-7").write("n", "x");
    }
    String event = sidecar.audited("\"said\"");
    assertTrue(event.contains("c-1") && event.contains("turn-7"), event);
    assertTrue(event.contains("agént") || event.contains("ag\\u00e9nt"), event);
  }

  /** The largest body that a namespace may allow goes there and back. */
  @Test
  void largestBody(MemslotClient client, Memory memory) {
    int most = 3_900_000;
    client.namespaces().update(memory.namespacePath(), settings -> settings.bodyLimitBytes(most));
    memory.write("large", Value.bytes(new byte[most]));
    assertEquals(most, memory.read("large").value().size());
    var refused =
        assertThrows(
            ResourceExhaustedException.class,
            () -> memory.write("n", Value.bytes(new byte[5_000_000])));
    assertTrue(refused.toString().contains("split it, a body has"), refused.toString());
  }

  /**
   * A deadline that passes before an answer leaves a mutation's outcome open, and retry settles.
   */
  @Test
  void retryAfterUnknownOutcome(Memory memory) {
    memory.write("n", "warm");
    OutcomeUnknownException error =
        assertThrows(
            OutcomeUnknownException.class,
            () -> memory.withTimeout(Duration.ofNanos(1)).write("n", "secret"));
    assertEquals("Write", error.mutation().orElseThrow().method());
    assertThrows(IllegalArgumentException.class, () -> memory.retry(error, String.class));
    assertEquals("n", memory.retry(error, Receipt.class).name());
    assertEquals("secret", memory.read("n").text());
    assertThrows(
        DeadlineExceededException.class, () -> memory.withTimeout(Duration.ofNanos(1)).read("n"));
  }

  /** Futures give results and the same exceptions; the generated stubs are at hand. */
  @Test
  void otherFaces(MemslotClient client, Memory memory) throws Exception {
    Receipt receipt =
        memory
            .async()
            .write("n", "x")
            .thenCompose(done -> memory.async().forget("n", how -> {}))
            .get();
    assertEquals("n", receipt.name());
    ExecutionException error =
        assertThrows(ExecutionException.class, () -> memory.async().read("none").get());
    assertInstanceOf(SlotNotFoundException.class, error.getCause());
    memory.write("n", "y");
    ReadRequest request =
        ReadRequest.newBuilder().setNamespace(memory.namespacePath()).setName("n").build();
    assertEquals(
        "y",
        SlotServiceGrpc.newBlockingStub(client.channel())
            .read(request)
            .getSlot()
            .getBody()
            .toStringUtf8());
    assertEquals(
        "y",
        client.call(SlotServiceGrpc.getReadMethod(), request).getSlot().getBody().toStringUtf8());
    assertTrue(client.admin().serverInfo().messageLimitBytes() > 0);
    assertTrue(client.admin().check().problems().isEmpty());
    assertTrue(client.admin().stats().getSlots() > 0);
  }

  /** A token never travels in the clear, and what cannot be a target is refused. */
  @Test
  void refusedSettings() {
    for (String target : List.of("memory.example:7420", "10.0.0.7:7420", "dns:///example:1")) {
      MemslotClientBuilder builder = MemslotClient.builder().target(target).token("t0ps3cret");
      String said = assertThrows(IllegalArgumentException.class, builder::connect).toString();
      assertTrue(said.contains(target) && !said.contains("t0ps3cret"), said);
    }
    MemslotClientBuilder plain =
        MemslotClient.builder()
            .target("memory.example:7420")
            .credentials(InsecureChannelCredentials.create())
            .token("t0ps3cret");
    assertThrows(IllegalArgumentException.class, plain::connect);
    for (String target : List.of("127.0.0.1:1", "localhost:1", "[::1]:1", "unix:/tmp/none")) {
      MemslotClient.builder().target(target).token("t").connect().close();
    }
    MemslotClient.builder().target("memory.example:7420").tls().token("t").connect().close();
    assertThrows(IllegalArgumentException.class, () -> MemslotClient.connect("http://x"));
    assertThrows(
        IllegalArgumentException.class, () -> MemslotClient.connect("unix:/" + "x".repeat(107)));
    MemslotClientBuilder builder = MemslotClient.builder();
    assertThrows(IllegalArgumentException.class, () -> builder.timeout(Duration.ZERO).connect());
  }
}
