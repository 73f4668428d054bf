package dev.memslot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.memslot.errors.ClientClosedException;
import dev.memslot.errors.OutcomeUnknownException;
import dev.memslot.model.Outcome;
import dev.memslot.model.Receipt;
import dev.memslot.v1.CallCount;
import dev.memslot.v1.ReadRequest;
import dev.memslot.v1.SlotServiceGrpc;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;

/** What a closed client says, and how calls end that are under way when it is closed. */
@ExtendWith(WithSidecar.class)
final class ClosingTest {
  /** Closing twice is once; afterwards every call is refused, and nothing is sent. */
  @Test
  void closed(Sidecar sidecar, Memory near) throws Exception {
    near.write("n", "before");
    MemslotClient reached = MemslotClient.connect(sidecar.target());
    reached.namespace(near.namespacePath()).write("n", "reached");
    for (MemslotClient client : List.of(reached, MemslotClient.connect("127.0.0.1:1"))) {
      client.close();
      client.close();
      Memory memory = client.namespace(near.namespacePath());
      List<Executable> calls =
          List.of(
              () -> memory.write("n", "after"),
              () -> memory.read("n"),
              () -> memory.update("n", value -> value),
              () -> memory.lookup("").iterator().next(),
              () -> memory.beginTask("t"),
              () -> client.namespaces().get("n"),
              () -> client.call(SlotServiceGrpc.getReadMethod(), ReadRequest.getDefaultInstance()),
              () -> client.withTimeout(Duration.ofSeconds(1)).memory().read("n"));
      for (Executable call : calls) {
        isClosed(assertThrows(ClientClosedException.class, call), "is closed");
      }
      for (CompletableFuture<?> call :
          List.of(memory.async().read("n"), memory.async().write("n", "after"))) {
        isClosed(assertThrows(ExecutionException.class, call::get).getCause(), "is closed");
      }
    }
    assertEquals("reached", near.read("n").text());
  }

  /** A read ends as closed; a write has an unknown outcome that another client settles. */
  @Test
  void underWay(Sidecar sidecar, MemslotClient direct, Memory near) throws Exception {
    near.write("warm", "up");
    long before = reads(direct);
    try (LossyWay way = new LossyWay(sidecar.target())) {
      MemslotClient client =
          MemslotClient.builder().target(way.target()).timeout(Duration.ofMinutes(1)).connect();
      Memory far = client.namespace(near.namespacePath());
      far.describe("warm");
      way.loseReplies();
      List<CompletableFuture<?>> reads =
          List.of(CompletableFuture.supplyAsync(() -> far.read("warm")), far.async().read("warm"));
      List<CompletableFuture<?>> writes =
          List.of(
              CompletableFuture.supplyAsync(() -> far.append("log", "one line")),
              far.async().write("other", "text"));
      await(() -> near.describeMany(List.of("log", "other")).size() == 2);
      await(() -> reads(direct) >= before + 2);
      client.close();
      for (CompletableFuture<?> read : reads) {
        Throwable error = failureOf(read);
        isClosed(error, "while the call was under way");
      }
      for (CompletableFuture<?> write : writes) {
        OutcomeUnknownException unknown =
            assertInstanceOf(OutcomeUnknownException.class, failureOf(write));
        isClosed(unknown.getCause(), "while the call was under way");
        assertThrows(ClientClosedException.class, () -> far.retry(unknown, Receipt.class));
        assertEquals(Outcome.CREATED, near.retry(unknown, Receipt.class).outcome());
      }
      assertEquals("one line", near.read("log").text());
    }
  }

  /** Whoever waits for a sidecar that is not there is told: nothing was sent. */
  @Test
  void waiting() throws Exception {
    MemslotClient client =
        MemslotClient.builder()
            .target("127.0.0.1:1")
            .waitForReady()
            .timeout(Duration.ofMinutes(10))
            .connect();
    List<CompletableFuture<?>> calls =
        List.of(
            CompletableFuture.supplyAsync(() -> client.memory().write("n", "x")),
            client.memory().async().read("n"),
            client.memory().async().write("n", "x"));
    client.close();
    for (CompletableFuture<?> call : calls) {
      isClosed(failureOf(call), "is closed");
    }
  }

  private static long reads(MemslotClient client) {
    return client.admin().stats().getCallsList().stream()
        .filter(counted -> counted.getMethod().endsWith("/Read"))
        .mapToLong(CallCount::getCount)
        .sum();
  }

  private static void await(BooleanSupplier holds) {
    assertTimeoutPreemptively(
        Duration.ofSeconds(20),
        () -> {
          while (!holds.getAsBoolean()) {
            Thread.sleep(10);
          }
        });
  }

  private static Throwable failureOf(CompletableFuture<?> call) {
    Throwable error =
        Objects.requireNonNull(assertThrows(ExecutionException.class, call::get).getCause());
    Throwable cause = error.getCause();
    return error instanceof CompletionException && cause != null ? cause : error;
  }

  private static void isClosed(@Nullable Throwable error, String told) {
    ClientClosedException closed = assertInstanceOf(ClientClosedException.class, error);
    assertEquals("CLIENT_CLOSED", closed.reason());
    assertEquals(Status.Code.CANCELLED, closed.code());
    String message = String.valueOf(closed.getMessage());
    assertTrue(message.contains(told) && message.contains("open a new one"), message);
  }
}
