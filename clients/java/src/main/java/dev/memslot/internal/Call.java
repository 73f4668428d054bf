package dev.memslot.internal;

import com.google.protobuf.Message;
import dev.memslot.errors.MemslotException;
import dev.memslot.errors.MemslotExceptions;
import io.grpc.MethodDescriptor;
import java.util.function.Function;

/**
 * One call: which RPC, with what, and what becomes of its reply. The blocking and the asynchronous
 * face make it in the same way. Its printed form holds no body.
 *
 * @param <Q> the request
 * @param <R> the reply
 * @param <T> what the call returns
 */
public record Call<Q extends Message, R, T>(
    MethodDescriptor<Q, R> method, Q request, Class<T> type, Function<R, T> parse) {
  Call<Q, R, T> withRequestId() {
    return new Call<>(method, RequestIds.filled(request), type, parse);
  }

  /** What becomes of a reply. */
  T parsed(R reply) {
    try {
      return parse.apply(reply);
    } catch (MemslotException told) {
      throw told;
    } catch (RuntimeException unreadable) {
      throw MemslotExceptions.unreadable(method.getFullMethodName());
    }
  }

  @Override
  public String toString() {
    return "Call[" + method.getFullMethodName() + "]";
  }
}
