package dev.memslot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.memslot.errors.UnreachableException;
import dev.memslot.v1.SlotServiceGrpc;
import dev.memslot.v1.WriteRequest;
import dev.memslot.v1.WriteResponse;
import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerCredentials;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.TlsServerCredentials;
import io.grpc.stub.StreamObserver;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.KeyManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What no sidecar does by itself: servers that are away for a while, and TLS. */
final class OtherServersTest {
  private static final String PASSWORD = "changeit";
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private final List<String> requestIds = new CopyOnWriteArrayList<>();
  private final List<String> tokens = new CopyOnWriteArrayList<>();

  /** A mutation keeps its request id over the retries, large bodies too. */
  @Test
  void retries() throws Exception {
    Server server = serve(InsecureServerCredentials.create(), 2);
    try (MemslotClient client = MemslotClient.connect("127.0.0.1:" + server.getPort())) {
      client.memory().write("n", "x".repeat(3_900_000));
    } finally {
      server.shutdownNow();
    }
    assertEquals(3, requestIds.size());
    assertEquals(1, requestIds.stream().distinct().count());
    assertEquals(36, requestIds.get(0).length());
  }

  /** By TLS a token is shown; a server that nobody vouches for gets none. */
  @Test
  void tls(@TempDir Path folder) throws Exception {
    Path authority = folder.resolve("ca.pem");
    Server server = serve(certified(folder, authority), 0);
    String target = "localhost:" + server.getPort();
    try (MemslotClient client =
            MemslotClient.builder().target(target).tls(authority).token("t0ken").connect();
        MemslotClient wary =
            MemslotClient.builder().target(target).tls().token("t0ken").connect()) {
      client.memory().write("n", "x");
      assertEquals(List.of("Bearer t0ken"), tokens);
      UnreachableException error =
          assertThrows(UnreachableException.class, () -> wary.memory().write("n", "x"));
      assertTrue(error.toString().contains("certification path"), error.toString());
      assertEquals(1, tokens.size());
    } finally {
      server.shutdownNow();
    }
  }

  private Server serve(ServerCredentials credentials, int failures) throws Exception {
    return Grpc.newServerBuilderForPort(0, credentials)
        .intercept(new Listening())
        .addService(new Failing(failures))
        .build()
        .start();
  }

  private static ServerCredentials certified(Path folder, Path authority) throws Exception {
    Path keys = folder.resolve("keys.p12");
    keytool(
        keys,
        "-genkeypair",
        "-keyalg",
        "RSA",
        "-dname",
        "CN=localhost",
        "-ext",
        "SAN=dns:localhost");
    keytool(keys, "-exportcert", "-rfc", "-file", authority.toString());
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream file = Files.newInputStream(keys)) {
      store.load(file, PASSWORD.toCharArray());
    }
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(store, PASSWORD.toCharArray());
    return TlsServerCredentials.newBuilder().keyManager(managers.getKeyManagers()).build();
  }

  private static void keytool(Path keys, String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(Path.of(System.getProperty("java.home"), "bin/keytool").toString()));
    command.addAll(List.of(arguments));
    command.addAll(List.of("-alias", "test", "-keystore", keys.toString()));
    command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
    assertEquals(0, new ProcessBuilder(command).inheritIO().start().waitFor());
  }

  private final class Listening implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      String token = headers.get(AUTHORIZATION);
      if (token != null) {
        tokens.add(token);
      }
      return next.startCall(call, headers);
    }
  }

  private final class Failing extends SlotServiceGrpc.SlotServiceImplBase {
    private final int failures;

    Failing(int failures) {
      this.failures = failures;
    }

    @Override
    public void write(WriteRequest request, StreamObserver<WriteResponse> answer) {
      requestIds.add(request.getRequestId());
      if (requestIds.size() <= failures) {
        answer.onError(Status.UNAVAILABLE.asRuntimeException());
      } else {
        answer.onNext(WriteResponse.getDefaultInstance());
        answer.onCompleted();
      }
    }
  }
}
