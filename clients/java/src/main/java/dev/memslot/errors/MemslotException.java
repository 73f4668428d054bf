package dev.memslot.errors;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.protobuf.Any;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Base of everything that the client throws about a call, one class for each reason that a caller
 * can mend. The classes of gRPC's codes stand above those of the reasons: a reason that a newer
 * server says is thrown as its code's class.
 *
 * <p>No message, cause or printed form holds a body.
 */
public class MemslotException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Status.Code code;
  private final String reason;
  private final String field;
  private final LinkedHashMap<String, String> metadata;
  private final @Nullable Duration retryAfter;
  private final transient List<Any> details;
  private final transient @Nullable Mutation<?> mutation;

  MemslotException(Failure failure) {
    super(failure.text(), failure.cause());
    this.code = failure.code();
    this.reason = failure.reason();
    this.field = failure.field();
    this.metadata = new LinkedHashMap<>(failure.metadata());
    this.retryAfter = failure.retryAfter();
    this.details = List.copyOf(failure.details());
    this.mutation = failure.mutation();
  }

  /** The gRPC code. */
  public Status.Code code() {
    return code;
  }

  /**
   * The reason, in UPPER_SNAKE_CASE as in the contract; {@code UNREACHABLE}, {@code CLIENT_CLOSED}
   * and {@code OUTCOME_UNKNOWN} are the client's own. Empty when gRPC failed by itself.
   */
  public String reason() {
    return reason;
  }

  /** The values that belong to the reason. */
  public Map<String, String> metadata() {
    return Collections.unmodifiableMap(metadata);
  }

  /** The request field to blame, or empty. */
  public String field() {
    return field;
  }

  /** How long the server wishes that the caller waits before another attempt. */
  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }

  /** The details of the server's {@code google.rpc.Status}. Empty after deserialization. */
  public List<Any> details() {
    return details == null ? List.of() : details;
  }

  /**
   * The mutation that failed, with which {@code memory.retry(error)} repeats exactly that one.
   * Empty when the call would have changed nothing, and after deserialization.
   */
  public Optional<Mutation<?>> mutation() {
    return Optional.ofNullable(mutation);
  }

  final long number(String key) {
    try {
      return Long.parseLong(text(key));
    } catch (NumberFormatException none) {
      return 0;
    }
  }

  final String text(String key) {
    return metadata.getOrDefault(key, "");
  }

  final List<String> texts(String key) {
    List<String> found = new ArrayList<>();
    try {
      if (JsonParser.parseString(text(key)) instanceof JsonArray array) {
        for (JsonElement one : array) {
          found.add(one.isJsonPrimitive() ? one.getAsString() : "");
        }
      }
    } catch (JsonParseException unreadable) {
      return List.of();
    }
    return List.copyOf(found);
  }
}
