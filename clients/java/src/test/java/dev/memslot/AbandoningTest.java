package dev.memslot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import dev.memslot.v1.AdminServiceGrpc;
import dev.memslot.v1.BackupRequest;
import dev.memslot.v1.BackupResponse;
import dev.memslot.v1.ReadRequest;
import dev.memslot.v1.ReadResponse;
import dev.memslot.v1.ReindexRequest;
import dev.memslot.v1.ReindexResponse;
import dev.memslot.v1.SlotServiceGrpc;
import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A call that nobody waits for any more is cancelled: the server hears of it. */
final class AbandoningTest {
  private final CountDownLatch arrived = new CountDownLatch(1);
  private final CountDownLatch cancelled = new CountDownLatch(1);

  /** A backup that cannot be written ends. */
  @Test
  void backup() throws Exception {
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int octet) throws IOException {
            throw new IOException("the disk is full");
          }
        };
    abandoned(
        client -> {
          IOException error = assertThrows(IOException.class, () -> client.admin().backup(full));
          assertEquals("the disk is full", error.getMessage());
        });
  }

  /** Making an index anew ends with who listens to its progress. */
  @Test
  void reindex() throws Exception {
    RuntimeException enough = new RuntimeException("enough");
    abandoned(
        client ->
            assertThrows(
                RuntimeException.class,
                () ->
                    client
                        .admin()
                        .reindex(
                            "",
                            false,
                            step -> {
                              throw enough;
                            })));
  }

  /** A future that is cancelled ends its call. */
  @Test
  void cancelledFuture() throws Exception {
    abandoned(client -> asked(client).cancel(true));
  }

  /** So does one that its owner's own timeout completes. */
  @Test
  void futureThatTimedOut() throws Exception {
    abandoned(
        client -> {
          CompletableFuture<?> read = asked(client).orTimeout(1, TimeUnit.NANOSECONDS);
          assertThrows(ExecutionException.class, read::get);
        });
  }

  private CompletableFuture<?> asked(MemslotClient client) {
    CompletableFuture<?> read = client.memory().async().read("n");
    try {
      assertTrue(arrived.await(20, TimeUnit.SECONDS));
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
    return read;
  }

  private void abandoned(Consumer<MemslotClient> call) throws Exception {
    Server server =
        Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
            .addService(new Endless())
            .addService(new Silent())
            .build()
            .start();
    try (MemslotClient client =
        MemslotClient.builder().target("127.0.0.1:" + server.getPort()).noTimeout().connect()) {
      call.accept(client);
      assertTrue(cancelled.await(20, TimeUnit.SECONDS));
    } finally {
      server.shutdownNow();
    }
  }

  /** Streams that never end. */
  private final class Endless extends AdminServiceGrpc.AdminServiceImplBase {
    @Override
    public void backup(BackupRequest request, StreamObserver<BackupResponse> answer) {
      listened(answer);
      answer.onNext(BackupResponse.newBuilder().setChunk(ByteString.copyFromUtf8("x")).build());
    }

    @Override
    public void reindex(ReindexRequest request, StreamObserver<ReindexResponse> answer) {
      listened(answer);
      answer.onNext(ReindexResponse.getDefaultInstance());
    }
  }

  /** Never answers. */
  private final class Silent extends SlotServiceGrpc.SlotServiceImplBase {
    @Override
    public void read(ReadRequest request, StreamObserver<ReadResponse> answer) {
      listened(answer);
      arrived.countDown();
    }
  }

  private void listened(StreamObserver<?> answer) {
    ((ServerCallStreamObserver<?>) answer).setOnCancelHandler(cancelled::countDown);
  }
}
