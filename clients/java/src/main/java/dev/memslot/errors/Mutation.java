package dev.memslot.errors;

import com.google.protobuf.Message;
import io.grpc.MethodDescriptor;
import java.util.Objects;
import java.util.function.Function;

/**
 * A mutation as it was sent, so that it can be repeated under the same request id. Its printed form
 * holds no body.
 *
 * @param <T> what the call returns when it succeeds
 */
public final class Mutation<T> {
  private final String requestId;
  private final String method;
  private final Class<T> resultType;
  private final Function<Mutation<T>, T> again;

  private Mutation(
      String method, String requestId, Class<T> resultType, Function<Mutation<T>, T> again) {
    this.method = method;
    this.requestId = requestId;
    this.resultType = resultType;
    this.again = again;
  }

  /**
   * Keeps a request with the way to send it again. Meant for the client itself.
   *
   * @param method which RPC it is for
   * @param request the request, with its request id
   * @param requestId that id
   * @param resultType what the call returns
   * @param send sends the request again and returns the result
   */
  public static <Q extends Message, T> Mutation<T> of(
      MethodDescriptor<Q, ?> method,
      Q request,
      String requestId,
      Class<T> resultType,
      Function<Q, T> send) {
    Objects.requireNonNull(request);
    return new Mutation<>(
        Objects.requireNonNullElse(method.getBareMethodName(), method.getFullMethodName()),
        requestId,
        resultType,
        mutation -> send.apply(request));
  }

  /** The UUID under which the server knows the mutation for ten minutes. */
  public String requestId() {
    return requestId;
  }

  /** The name of the RPC, such as {@code Write}. */
  public String method() {
    return method;
  }

  /** What the call returns when it succeeds. */
  public Class<T> resultType() {
    return resultType;
  }

  /**
   * Sends the mutation again under its request id and returns what the first call would have
   * returned. If it had happened, the first answer comes and nothing changes.
   */
  public T repeat() {
    return again.apply(this);
  }

  @Override
  public String toString() {
    return "Mutation[" + method + " " + requestId + "]";
  }
}
