package dev.memslot.errors;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * From what gRPC throws, or a reply says about one of its items, to the client's exceptions: for
 * whoever calls the generated stubs.
 */
public final class MemslotExceptions {
  private static final Set<Status.Code> UNSETTLED =
      EnumSet.of(
          Status.Code.UNAVAILABLE,
          Status.Code.DEADLINE_EXCEEDED,
          Status.Code.CANCELLED,
          Status.Code.UNKNOWN,
          Status.Code.INTERNAL,
          Status.Code.DATA_LOSS);
  private static final String DOMAIN = "memslot";
  private static final int MESSAGE_LIMIT = 300;

  private MemslotExceptions() {}

  /** The exception for a failed RPC. */
  public static MemslotException of(StatusRuntimeException error) {
    return Reasons.exception(failure(error));
  }

  /** The exception for a status inside a reply, such as that of a name of BatchRead. */
  public static MemslotException of(com.google.rpc.Status status) {
    return Reasons.exception(failure(status));
  }

  /**
   * The exception for a failed mutation: {@link OutcomeUnknownException} when no answer says
   * whether it happened.
   */
  public static MemslotException of(StatusRuntimeException error, Mutation<?> mutation) {
    Failure failure = failure(error).about(mutation);
    MemslotException known = Reasons.exception(failure);
    // The server's own words are an answer; what gRPC says by itself may stand for a lost reply.
    return failure.reason().isEmpty() && UNSETTLED.contains(failure.code())
        ? unknown(failure, known, mutation)
        : known;
  }

  /** The exception for a sidecar to which no connection was made, so that nothing was sent. */
  public static UnreachableException unreachable(
      String target, String why, @Nullable Mutation<?> mutation) {
    String message =
        "no memslot sidecar answers at %s (%s): is `memslot serve` running there?"
            .formatted(target, why);
    return new UnreachableException(
        Failure.of(Status.Code.UNAVAILABLE, "UNREACHABLE", message).about(mutation));
  }

  /** The exception for a reply that is none of the contract's. It does not show it. */
  public static MemslotException unreadable(String method) {
    return Reasons.exception(
        Failure.of(
            Status.Code.INTERNAL, "", "the reply to %s is not the contract's".formatted(method)));
  }

  /** The exception for a thread that was interrupted before anything was sent. */
  public static MemslotException interrupted(@Nullable Mutation<?> mutation) {
    return Reasons.exception(
        Failure.of(Status.Code.CANCELLED, "", "the thread was interrupted: nothing was sent")
            .about(mutation));
  }

  /** The exception for a call on a closed client: nothing was sent. */
  public static ClientClosedException closed(@Nullable Mutation<?> mutation) {
    return new ClientClosedException(closed("is closed").about(mutation));
  }

  /**
   * The exception for a call that closing the client cut off: {@link OutcomeUnknownException} for a
   * mutation.
   */
  public static MemslotException closedUnderWay(@Nullable Mutation<?> mutation) {
    Failure failure = closed("was closed while the call was under way").about(mutation);
    ClientClosedException known = new ClientClosedException(failure);
    return mutation == null ? known : unknown(failure, known, mutation);
  }

  private static Failure closed(String how) {
    String message = "the client %s: open a new one with MemslotClient.connect".formatted(how);
    return Failure.of(Status.Code.CANCELLED, "CLIENT_CLOSED", message);
  }

  private static OutcomeUnknownException unknown(
      Failure failure, MemslotException cause, Mutation<?> mutation) {
    String why = failure.message().isEmpty() ? failure.code().name() : failure.message();
    String message =
        "%s may have happened or not (%s): memory.retry(error) settles it under request id %s"
            .formatted(mutation.method(), why, mutation.requestId());
    return new OutcomeUnknownException(
        Failure.of(failure.code(), "OUTCOME_UNKNOWN", message).about(mutation).causedBy(cause));
  }

  private static Failure failure(StatusRuntimeException error) {
    com.google.rpc.@Nullable Status status = StatusProto.fromThrowable(error);
    if (status == null || status.getDetailsCount() == 0) {
      return Failure.of(error.getStatus().getCode(), "", said(error.getStatus()));
    }
    return failure(
        info(status).getReason().isEmpty()
            ? status.toBuilder().setMessage(firstLine(status.getMessage())).build()
            : status);
  }

  private static Failure failure(com.google.rpc.Status status) {
    ErrorInfo info = info(status);
    BadRequest blamed = unpacked(status, BadRequest.class, BadRequest.getDefaultInstance());
    RetryInfo retry = unpacked(status, RetryInfo.class, RetryInfo.getDefaultInstance());
    return new Failure(
        Status.fromCodeValue(status.getCode()).getCode(),
        info.getReason(),
        status.getMessage(),
        Map.copyOf(info.getMetadataMap()),
        blamed.getFieldViolationsCount() == 0 ? "" : blamed.getFieldViolations(0).getField(),
        retry.hasRetryDelay()
            ? Duration.ofSeconds(
                retry.getRetryDelay().getSeconds(), retry.getRetryDelay().getNanos())
            : null,
        status.getDetailsList(),
        null,
        null);
  }

  /** The sidecar's reason; an empty one where only others, such as a proxy, told theirs. */
  private static ErrorInfo info(com.google.rpc.Status status) {
    return all(status, ErrorInfo.class)
        .filter(info -> info.getDomain().equals(DOMAIN))
        .findFirst()
        .orElse(ErrorInfo.getDefaultInstance());
  }

  private static <T extends Message> T unpacked(
      com.google.rpc.Status status, Class<T> type, T otherwise) {
    return all(status, type).findFirst().orElse(otherwise);
  }

  private static <T extends Message> Stream<T> all(com.google.rpc.Status status, Class<T> type) {
    return status.getDetailsList().stream()
        .filter(detail -> detail.is(type))
        .flatMap(detail -> readable(detail, type).stream());
  }

  private static <T extends Message> Optional<T> readable(Any detail, Class<T> type) {
    try {
      return Optional.of(detail.unpack(type));
    } catch (InvalidProtocolBufferException unreadable) {
      return Optional.empty();
    }
  }

  /**
   * What gRPC says by itself, in one line: behind it may stand what a server that is none of
   * memslot's sent, which may hold a body.
   */
  private static String said(Status status) {
    String description = firstLine(status.getDescription());
    return status.getCause() instanceof IOException cause
        ? description + ": " + named(root(cause))
        : description;
  }

  private static String named(Throwable error) {
    String message = firstLine(error.getMessage());
    return message.isEmpty() ? error.getClass().getSimpleName() : message;
  }

  private static Throwable root(Throwable error) {
    Throwable cause = error.getCause();
    return cause == null || cause == error ? error : root(cause);
  }

  private static String firstLine(@Nullable String text) {
    String line = text == null ? "" : text.lines().findFirst().orElse("");
    return line.length() > MESSAGE_LIMIT ? line.substring(0, MESSAGE_LIMIT) : line;
  }
}
