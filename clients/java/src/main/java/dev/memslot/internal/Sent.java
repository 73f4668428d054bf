package dev.memslot.internal;

import com.google.protobuf.Message;
import dev.memslot.errors.Mutation;
import java.util.Objects;

/**
 * A mutation as it was sent, with its request.
 *
 * @param <Q> the request
 * @param <R> the reply
 * @param <T> what the call returns
 */
record Sent<Q extends Message, R, T>(Call<Q, R, T> call, String requestId) implements Mutation<T> {
  @Override
  public String method() {
    return Objects.requireNonNullElse(call.method().getBareMethodName(), "");
  }

  @Override
  public Class<T> resultType() {
    return call.type();
  }

  T repeat(Connection connection, Scope scope) {
    return connection.call(call, scope);
  }

  @Override
  public String toString() {
    return "Mutation[" + method() + " " + requestId + "]";
  }
}
