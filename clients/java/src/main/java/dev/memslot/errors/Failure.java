package dev.memslot.errors;

import com.google.protobuf.Any;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All that is known of a failed call. */
record Failure(
    Status.Code code,
    String reason,
    String message,
    Map<String, String> metadata,
    String field,
    @Nullable Duration retryAfter,
    List<Any> details,
    @Nullable Mutation<?> mutation,
    @Nullable Throwable cause) {

  static Failure of(Status.Code code, String reason, String message) {
    return new Failure(code, reason, message, Map.of(), "", null, List.of(), null, null);
  }

  Failure about(@Nullable Mutation<?> sent) {
    return new Failure(code, reason, message, metadata, field, retryAfter, details, sent, cause);
  }

  Failure causedBy(Throwable why) {
    return new Failure(code, reason, message, metadata, field, retryAfter, details, mutation, why);
  }

  String text() {
    String label = reason.isEmpty() ? code.name() : reason;
    return message.isEmpty() ? label : label + ": " + message;
  }
}
