package dev.memslot;

import com.google.protobuf.Message;
import dev.memslot.errors.MemslotException;
import dev.memslot.internal.Connection;
import dev.memslot.internal.Scope;
import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * A connection to a memslot sidecar. May be used from any number of threads; close it when done.
 *
 * <pre>{@code
 * try (MemslotClient client = MemslotClient.connect()) {
 *   Memory memory = client.memory();
 *   memory.write("user_name", "Ada");
 *   System.out.println(memory.read("user_name").text());
 * }
 * }</pre>
 */
public final class MemslotClient implements AutoCloseable {
  private final Connection connection;
  private final Scope scope;
  private final String namespace;

  MemslotClient(Connection connection, Scope scope, String namespace) {
    this.connection = connection;
    this.scope = scope;
    this.namespace = namespace;
  }

  /**
   * Connects to the sidecar that MEMSLOT_TARGET names, by default 127.0.0.1:7420. Nothing is
   * connected before the first call.
   */
  public static MemslotClient connect() {
    return builder().connect();
  }

  /**
   * Connects to the sidecar at {@code host:port} or {@code unix:/path}.
   *
   * @throws IllegalArgumentException for a target that cannot work
   */
  public static MemslotClient connect(String target) {
    return builder().target(target).connect();
  }

  /** Connects with more to say. */
  public static MemslotClientBuilder builder() {
    return new MemslotClientBuilder();
  }

  /** The slots of the namespace that was chosen when connecting. */
  public Memory memory() {
    return namespace(namespace);
  }

  /** The slots of another namespace (a whole path; see {@link NamespacePath}). */
  public Memory namespace(String path) {
    return new Memory(connection, scope, path);
  }

  /** The calls about namespaces. */
  public Namespaces namespaces() {
    return new Namespaces(connection, scope);
  }

  /** The calls about the sidecar itself. */
  public Admin admin() {
    return new Admin(connection, scope);
  }

  /**
   * Calls any unary RPC of the contract: with the client's deadline, retries and metadata, and with
   * a request id where a mutation has none.
   *
   * @param method such as {@code SlotServiceGrpc.getReadMethod()}
   * @throws MemslotException when it fails
   */
  public <Q extends Message, R> R call(MethodDescriptor<Q, R> method, Q request) {
    return connection.call(method, request, scope);
  }

  /** The same without waiting; the future fails with a {@link MemslotException}. */
  public <Q extends Message, R> CompletableFuture<R> callAsync(
      MethodDescriptor<Q, R> method, Q request) {
    return connection.callAsync(method, request, scope);
  }

  /**
   * The channel, for the generated stubs: it sends the token and who asks, and retries by the
   * service config. Deadlines and request ids are left to its user; {@link
   * dev.memslot.errors.MemslotExceptions} reads its errors.
   */
  public Channel channel() {
    return connection.channel();
  }

  /** The same connection with another timeout for each call. */
  public MemslotClient withTimeout(Duration timeout) {
    return new MemslotClient(connection, scope.within(timeout), namespace);
  }

  /**
   * Closes the connection, also of each view on it; closing again does nothing. From then on calls
   * throw {@link dev.memslot.errors.ClientClosedException}. So do calls that were under way, but a
   * mutation that was sent throws {@link dev.memslot.errors.OutcomeUnknownException}.
   */
  @Override
  public void close() {
    connection.close();
  }

  @Override
  public String toString() {
    return "MemslotClient[" + connection.target() + ", " + namespace + "]";
  }
}
