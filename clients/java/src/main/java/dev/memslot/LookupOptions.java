package dev.memslot;

import dev.memslot.model.Order;
import dev.memslot.v1.LookupRequest;
import dev.memslot.v1.LookupView;

/** Which slots a lookup lists, and how. */
public final class LookupOptions {
  private final LookupRequest.Builder request;

  LookupOptions(String namespace, String prefix) {
    request =
        LookupRequest.newBuilder()
            .setNamespace(namespace)
            .setNamePrefix(prefix)
            .setView(LookupView.LOOKUP_VIEW_NAMES)
            .setOrderByValue(Order.RANK.number());
  }

  /** Only slots for which this holds. */
  public LookupOptions where(Condition condition) {
    request.setFilter(condition.filter());
    return this;
  }

  /** Also in the namespaces below. */
  public LookupOptions recursive() {
    request.setRecursive(true);
    return this;
  }

  /** Bring everything but the body. */
  public LookupOptions info() {
    request.setView(LookupView.LOOKUP_VIEW_INFO);
    return this;
  }

  /** In which order; by rank when it is not said. */
  public LookupOptions order(Order order) {
    request.setOrderByValue(order.number());
    return this;
  }

  /** The order backwards. */
  public LookupOptions reverse() {
    request.setReverse(true);
    return this;
  }

  /** How many come with one call: 50 when it is not said, at most 1000. */
  public LookupOptions pageSize(int slots) {
    request.setPageSize(slots);
    return this;
  }

  /** For one page: behind which to go on, {@code nextPageToken} of the very same query. */
  public LookupOptions pageToken(String token) {
    request.setPageToken(token);
    return this;
  }

  /** For one page: an upper bound of the reply in bytes. */
  public LookupOptions maxBytes(int bytes) {
    request.setMaxBytes(bytes);
    return this;
  }

  /** For one page: count all matches too, to 10,000. */
  public LookupOptions total() {
    request.setTotal(true);
    return this;
  }

  LookupRequest request() {
    return request.build();
  }
}
