package dev.memslot.errors;

import io.grpc.Status;
import java.util.Map;
import java.util.function.Function;

/** The table from reasons and gRPC codes to exception classes. */
final class Reasons {
  private static final Map<String, Function<Failure, MemslotException>> BY_REASON =
      Map.ofEntries(
          Map.entry("INTERNAL", InternalException::new),
          Map.entry("STORE_CORRUPT", StoreCorruptException::new),
          Map.entry("OUTCOME_UNKNOWN", OutcomeUnknownException::new),
          Map.entry("CLIENT_CLOSED", ClientClosedException::new),
          Map.entry("UNREACHABLE", UnreachableException::new),
          Map.entry("INVALID_FIELD", InvalidFieldException::new),
          Map.entry("INVALID_NAME", InvalidNameException::new),
          Map.entry("INVALID_FILTER", InvalidFilterException::new),
          Map.entry("INVALID_BODY", InvalidBodyException::new),
          Map.entry("INVALID_PAGE_TOKEN", InvalidPageTokenException::new),
          Map.entry("UNKNOWN_FIELD", UnknownFieldException::new),
          Map.entry("REQUEST_ID_REUSED", RequestIdReusedException::new),
          Map.entry("BODY_TOO_LARGE", BodyTooLargeException::new),
          Map.entry("SETTING_ABOVE_CAP", SettingAboveCapException::new),
          Map.entry("SLOT_NOT_FOUND", SlotNotFoundException::new),
          Map.entry("VERSION_NOT_FOUND", VersionNotFoundException::new),
          Map.entry("TURN_NOT_FOUND", TurnNotFoundException::new),
          Map.entry("NAMESPACE_NOT_FOUND", NamespaceNotFoundException::new),
          Map.entry("SLOT_EXISTS", SlotExistsException::new),
          Map.entry("REVISION_MISMATCH", RevisionMismatchException::new),
          Map.entry("SLOT_LIMIT_REACHED", SlotLimitReachedException::new),
          Map.entry("STORE_FULL", StoreFullException::new),
          Map.entry("REPLY_BUDGET", ReplyBudgetException::new),
          Map.entry("INJECTION_BUDGET", InjectionBudgetException::new),
          Map.entry("UNTRUSTED_ORIGIN", UntrustedOriginException::new),
          Map.entry("NOT_TEXT", NotTextException::new),
          Map.entry("STALE_ATTEMPT", StaleAttemptException::new),
          Map.entry("CONTENT_TYPE_MISMATCH", ContentTypeMismatchException::new),
          Map.entry("TOO_MANY_MATCHES", TooManyMatchesException::new),
          Map.entry("NAMESPACE_NOT_EMPTY", NamespaceNotEmptyException::new),
          Map.entry("STORE_REPLACED", StoreReplacedException::new),
          Map.entry("BACKUP_UNSUPPORTED", BackupUnsupportedException::new),
          Map.entry("STORE_UNAVAILABLE", StoreUnavailableException::new),
          Map.entry("OVERLOADED", OverloadedException::new),
          Map.entry("ERASE_PENDING", ErasePendingException::new),
          Map.entry("INDEX_NOT_ENABLED", IndexNotEnabledException::new),
          Map.entry("INDEX_OUTDATED", IndexOutdatedException::new),
          Map.entry("INDEX_UNAVAILABLE", IndexUnavailableException::new),
          Map.entry("EMBEDDER_UNAVAILABLE", EmbedderUnavailableException::new),
          Map.entry("INDEX_BEHIND", IndexBehindException::new),
          Map.entry("DIMENSION_MISMATCH", DimensionMismatchException::new));

  private static final Map<Status.Code, Function<Failure, MemslotException>> BY_CODE =
      Map.ofEntries(
          Map.entry(Status.Code.INVALID_ARGUMENT, InvalidRequestException::new),
          Map.entry(Status.Code.NOT_FOUND, NotFoundException::new),
          Map.entry(Status.Code.ALREADY_EXISTS, AlreadyExistsException::new),
          Map.entry(Status.Code.ABORTED, AbortedException::new),
          Map.entry(Status.Code.FAILED_PRECONDITION, FailedPreconditionException::new),
          Map.entry(Status.Code.RESOURCE_EXHAUSTED, ResourceExhaustedException::new),
          Map.entry(Status.Code.UNAVAILABLE, UnavailableException::new),
          Map.entry(Status.Code.DEADLINE_EXCEEDED, DeadlineExceededException::new),
          Map.entry(Status.Code.PERMISSION_DENIED, PermissionDeniedException::new),
          Map.entry(Status.Code.UNAUTHENTICATED, UnauthenticatedException::new),
          Map.entry(Status.Code.UNIMPLEMENTED, UnimplementedException::new),
          Map.entry(Status.Code.INTERNAL, InternalException::new),
          Map.entry(Status.Code.DATA_LOSS, StoreCorruptException::new));

  private Reasons() {}

  /** Of the reason's class, else of the code's, else a plain MemslotException. */
  static MemslotException exception(Failure failure) {
    Function<Failure, MemslotException> made = BY_REASON.get(failure.reason());
    if (made == null) {
      made = BY_CODE.getOrDefault(failure.code(), MemslotException::new);
    }
    return made.apply(failure);
  }
}
