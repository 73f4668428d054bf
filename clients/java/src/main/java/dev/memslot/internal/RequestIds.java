package dev.memslot.internal;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.memslot.v1.ActRequest;
import java.util.UUID;

/** One request id for each logical mutation, kept over every repeat of it. */
final class RequestIds {
  private static final String FIELD = "request_id";

  private RequestIds() {}

  /** The request with a fresh id, if it is a mutation's and has none. */
  static <Q extends Message> Q filled(Q request) {
    FieldDescriptor field = request.getDescriptorForType().findFieldByName(FIELD);
    if (field == null || !of(request).isEmpty() || isOnlyValidating(request)) {
      return request;
    }
    Message filled = request.toBuilder().setField(field, UUID.randomUUID().toString()).build();
    @SuppressWarnings("unchecked") // A message's builder makes messages of its own type.
    Q same = (Q) filled;
    return same;
  }

  /** The id of a mutation's request; empty for one that changes nothing. */
  static String of(Message request) {
    FieldDescriptor field = request.getDescriptorForType().findFieldByName(FIELD);
    return field == null ? "" : (String) request.getField(field);
  }

  private static boolean isOnlyValidating(Message request) {
    return request instanceof ActRequest act && act.getValidateOnly();
  }
}
