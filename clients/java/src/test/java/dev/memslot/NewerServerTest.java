package dev.memslot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Timestamp;
import dev.memslot.errors.InternalException;
import dev.memslot.model.Origin;
import dev.memslot.v1.AdminServiceGrpc;
import dev.memslot.v1.BackupRequest;
import dev.memslot.v1.BackupResponse;
import dev.memslot.v1.BatchReadRequest;
import dev.memslot.v1.BatchReadResponse;
import dev.memslot.v1.DescribeRequest;
import dev.memslot.v1.DescribeResponse;
import dev.memslot.v1.ReadRequest;
import dev.memslot.v1.ReadResponse;
import dev.memslot.v1.Receipt;
import dev.memslot.v1.Slot;
import dev.memslot.v1.SlotInfo;
import dev.memslot.v1.SlotServiceGrpc;
import dev.memslot.v1.WriteRequest;
import dev.memslot.v1.WriteResponse;
import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** What a server of another version answers. */
final class NewerServerTest {
  /** A member of a closed set that this client does not know is told as unspecified. */
  @Test
  void unknownMember() throws Exception {
    Server server = serve();
    try (MemslotClient client = MemslotClient.connect("127.0.0.1:" + server.getPort())) {
      assertEquals(Origin.UNSPECIFIED, client.memory().read("n").info().origin());
    } finally {
      server.shutdownNow();
    }
  }

  /** A reply that is none of the contract's is an exception of the family that callers catch. */
  @Test
  void unreadable() throws Exception {
    Server server = serve();
    try (MemslotClient client = MemslotClient.connect("127.0.0.1:" + server.getPort())) {
      Memory memory = client.memory();
      List<Executable> calls =
          List.of(
              () -> memory.describe("n"),
              () -> memory.readMany(List.of("a", "b")),
              () -> memory.write("n", "x"));
      for (Executable call : calls) {
        String told = assertThrows(InternalException.class, call).toString();
        assertTrue(told.contains("is not the contract's"), told);
      }
      assertThrows(IOException.class, () -> client.admin().backup(OutputStream.nullOutputStream()));
      ExecutionException later =
          assertThrows(ExecutionException.class, () -> memory.async().describe("n").get());
      assertInstanceOf(InternalException.class, later.getCause());
    } finally {
      server.shutdownNow();
    }
  }

  private static Server serve() throws Exception {
    return Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
        .addService(new Newer())
        .addService(new Empty())
        .build()
        .start();
  }

  private static final class Empty extends AdminServiceGrpc.AdminServiceImplBase {
    @Override
    public void backup(BackupRequest request, StreamObserver<BackupResponse> to) {
      to.onCompleted();
    }
  }

  private static final class Newer extends SlotServiceGrpc.SlotServiceImplBase {
    private static <R> void answer(StreamObserver<R> to, R reply) {
      to.onNext(reply);
      to.onCompleted();
    }

    @Override
    public void read(ReadRequest request, StreamObserver<ReadResponse> to) {
      SlotInfo info = SlotInfo.newBuilder().setOriginValue(99).build();
      answer(to, ReadResponse.newBuilder().setSlot(Slot.newBuilder().setInfo(info)).build());
    }

    @Override
    public void describe(DescribeRequest request, StreamObserver<DescribeResponse> to) {
      answer(to, DescribeResponse.getDefaultInstance());
    }

    @Override
    public void batchRead(BatchReadRequest request, StreamObserver<BatchReadResponse> to) {
      answer(to, BatchReadResponse.getDefaultInstance());
    }

    @Override
    public void write(WriteRequest request, StreamObserver<WriteResponse> to) {
      Timestamp never = Timestamp.newBuilder().setSeconds(Long.MAX_VALUE).build();
      Receipt receipt = Receipt.newBuilder().setExpireTime(never).build();
      answer(to, WriteResponse.newBuilder().setReceipt(receipt).build());
    }
  }
}
