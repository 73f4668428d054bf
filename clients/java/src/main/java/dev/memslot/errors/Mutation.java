package dev.memslot.errors;

/**
 * A mutation as it was sent, which {@code memory.retry(error)} repeats under the same request id.
 * Its printed form holds no body.
 *
 * @param <T> what the call returns when it succeeds
 */
public interface Mutation<T> {
  /** The UUID under which the server knows the mutation for ten minutes. */
  String requestId();

  /** The name of the RPC, such as {@code Write}. */
  String method();

  /** What the call returns when it succeeds. */
  Class<T> resultType();
}
