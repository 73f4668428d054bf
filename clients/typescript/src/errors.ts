/**
 * What can go wrong, one class a reason, so that a caller can catch what it can mend.
 *
 * The classes of a gRPC code stand above those of its reasons: a reason that a newer server says is thrown as its code's class. No message
 * holds a body.
 */

import {
  Aborted,
  AlreadyExists,
  DeadlineExceeded,
  FailedPrecondition,
  InvalidRequest,
  MemslotError,
  NotFound,
  PermissionDenied,
  ResourceExhausted,
  Unavailable,
} from "./error-codes.js";

export * from "./error-codes.js";

/**
 * A mutation was sent and no answer came, also after retries: it may have happened or not.
 *
 * `memory.retry(error)` repeats it under the same request id: if it had happened it returns the first answer and changes nothing.
 * That works for ten minutes. `cause` is the failure of the last attempt, `code` its code.
 */
export class OutcomeUnknown extends MemslotError {
  static override readonly reason: string = "OUTCOME_UNKNOWN";
}

/**
 * The client is closed: nothing was sent. Open a new one.
 *
 * A call that was under way ends so too, but a mutation as {@link OutcomeUnknown}, which `retry` of a new client settles.
 */
export class ClientClosed extends MemslotError {
  static override readonly reason: string = "CLIENT_CLOSED";
  static override readonly code: string = "CANCELLED";
}

/** No connection to the sidecar could be made: nothing was sent, so nothing happened. */
export class Unreachable extends Unavailable {
  static override readonly reason: string = "UNREACHABLE";
}

/** A request field has a value that can never work. */
export class InvalidField extends InvalidRequest {
  static override readonly reason: string = "INVALID_FIELD";
}

/** A slot or namespace name breaks the naming rules. */
export class InvalidName extends InvalidRequest {
  static override readonly reason: string = "INVALID_NAME";

  /** Index of the character to blame, where one is. */
  get position(): number | undefined {
    return "position" in this.metadata ? this.number("position") : undefined;
  }
}

/** A filter is empty, too deep, or compares with NaN. */
export class InvalidFilter extends InvalidRequest {
  static override readonly reason: string = "INVALID_FILTER";
}

/** A body is not what its content type says. */
export class InvalidBody extends InvalidRequest {
  static override readonly reason: string = "INVALID_BODY";
}

/** A page token does not belong to this query. */
export class InvalidPageToken extends InvalidRequest {
  static override readonly reason: string = "INVALID_PAGE_TOKEN";
}

/** The server is older than the client and does not know a field of the request. */
export class UnknownField extends InvalidRequest {
  static override readonly reason: string = "UNKNOWN_FIELD";
}

/** The request id was used for other content. */
export class RequestIdReused extends InvalidRequest {
  static override readonly reason: string = "REQUEST_ID_REUSED";
}

/** The body is larger than the namespace allows: split it or raise body_limit_bytes. */
export class BodyTooLarge extends InvalidRequest {
  static override readonly reason: string = "BODY_TOO_LARGE";

  /** Size of the body in bytes. */
  get size(): number {
    return this.number("size");
  }

  /** What the namespace allows, in bytes. */
  get limit(): number {
    return this.number("limit");
  }
}

/** The server's rules do not allow a setting that high. */
export class SettingAboveCap extends InvalidRequest {
  static override readonly reason: string = "SETTING_ABOVE_CAP";
}

/** No live slot has this name. */
export class SlotNotFound extends NotFound {
  static override readonly reason: string = "SLOT_NOT_FOUND";
}

/** The slot does not keep this version (any more). */
export class VersionNotFound extends NotFound {
  static override readonly reason: string = "VERSION_NOT_FOUND";
}

/** Nothing is known of the turn. */
export class TurnNotFound extends NotFound {
  static override readonly reason: string = "TURN_NOT_FOUND";
}

/** The namespace holds nothing and is not configured. */
export class NamespaceNotFound extends NotFound {
  static override readonly reason: string = "NAMESPACE_NOT_FOUND";
}

/** The slot exists though a new one was asked for. */
export class SlotExists extends AlreadyExists {
  static override readonly reason: string = "SLOT_EXISTS";

  /** The revision that the slot is at. */
  get currentRevision(): bigint {
    return this.integer("current_revision");
  }
}

/** The slot is not at the expected revision. */
export class RevisionMismatch extends Aborted {
  static override readonly reason: string = "REVISION_MISMATCH";

  /** The revision that the slot is at; 0 when there is no slot. */
  get currentRevision(): bigint {
    return this.integer("current_revision");
  }
}

/** The namespace is full: forget a slot, raise slot_limit, or let it evict. */
export class SlotLimitReached extends ResourceExhausted {
  static override readonly reason: string = "SLOT_LIMIT_REACHED";

  /** How many slots the namespace may hold. */
  get limit(): number {
    return this.number("limit");
  }

  /** How many slots it holds. */
  get used(): number {
    return this.number("used");
  }

  /** Names of up to three slots of the lowest rank. */
  get lowestRanked(): readonly string[] {
    try {
      return JSON.parse(this.metadata["lowest_ranked"] ?? "[]") as string[];
    } catch {
      return [];
    }
  }
}

/** The store, a root of it, or the disk is full. */
export class StoreFull extends ResourceExhausted {
  static override readonly reason: string = "STORE_FULL";
}

/** The item alone does not fit into a reply. */
export class ReplyBudget extends ResourceExhausted {
  static override readonly reason: string = "REPLY_BUDGET";
}

/** Neither the body nor a summary fits into the injection. */
export class InjectionBudget extends ResourceExhausted {
  static override readonly reason: string = "INJECTION_BUDGET";
}

/** A tool or a model wrote the body, or nobody says who, and the call wants no such body. */
export class UntrustedOrigin extends PermissionDenied {
  static override readonly reason: string = "UNTRUSTED_ORIGIN";
}

/** The body is no text, and the slot has no summary. */
export class NotText extends FailedPrecondition {
  static override readonly reason: string = "NOT_TEXT";
}

/** The attempt of a task is over, or has not begun; nothing was changed. */
export class StaleAttempt extends FailedPrecondition {
  static override readonly reason: string = "STALE_ATTEMPT";

  /** The present attempt of the task; 0 when there is no such task. */
  get currentAttempt(): bigint {
    return this.integer("current_attempt");
  }
}

/** Appending or patching does not fit the slot's content type. */
export class ContentTypeMismatch extends FailedPrecondition {
  static override readonly reason: string = "CONTENT_TYPE_MISMATCH";
}

/** More slots match than the caller allows; nothing was forgotten. */
export class TooManyMatches extends FailedPrecondition {
  static override readonly reason: string = "TOO_MANY_MATCHES";

  /** How many slots match. */
  get matches(): number {
    return this.number("matches");
  }
}

/** The namespace holds slots: delete it with `force: true`. */
export class NamespaceNotEmpty extends FailedPrecondition {
  static override readonly reason: string = "NAMESPACE_NOT_EMPTY";
}

/** A page token belongs to another store, or to the store before a restore: begin again. */
export class StoreReplaced extends FailedPrecondition {
  static override readonly reason: string = "STORE_REPLACED";
}

/** The store lives in RAM and has no file to copy. */
export class BackupUnsupported extends FailedPrecondition {
  static override readonly reason: string = "BACKUP_UNSUPPORTED";
}

/** The store cannot answer now. The server changed nothing; a lost attempt before may have, which `memory.retry(error)` settles. */
export class StoreUnavailable extends Unavailable {
  static override readonly reason: string = "STORE_UNAVAILABLE";
}

/** The server refused the call because it has too much to do; it was not begun. */
export class Overloaded extends Unavailable {
  static override readonly reason: string = "OVERLOADED";
}

/** The slots are forgotten; wiping their bytes waits and resumes by itself. Nothing has to be repeated. */
export class ErasePending extends Unavailable {
  static override readonly reason: string = "ERASE_PENDING";
}

/** The namespace keeps no index of the kind that the call needs; the message tells how to enable it. */
export class IndexNotEnabled extends FailedPrecondition {
  static override readonly reason: string = "INDEX_NOT_ENABLED";
}

/** The namespace's vectors were made by another model than the server has now: `Reindex with vectors` makes them anew. */
export class IndexOutdated extends FailedPrecondition {
  static override readonly reason: string = "INDEX_OUTDATED";

  /** The model that made the vectors. */
  get madeBy(): string {
    return this.metadata["made_by"] ?? "";
  }

  /** The model that the server has now. */
  get configured(): string {
    return this.metadata["configured"] ?? "";
  }
}

/** The index cannot answer now, also after retries. */
export class IndexUnavailable extends Unavailable {
  static override readonly reason: string = "INDEX_UNAVAILABLE";
}

/** What makes vectors of texts cannot be reached: search by words, or send a vector. */
export class EmbedderUnavailable extends IndexUnavailable {
  static override readonly reason: string = "EMBEDDER_UNAVAILABLE";
}

/** The index did not reach `minRevision` within the call's timeout. */
export class IndexBehind extends DeadlineExceeded {
  static override readonly reason: string = "INDEX_BEHIND";

  /** The revision up to which it is complete. */
  get indexedRevision(): bigint {
    return this.integer("indexed_revision");
  }
}

/** A vector has another dimension than those of the namespace. */
export class DimensionMismatch extends InvalidRequest {
  static override readonly reason: string = "DIMENSION_MISMATCH";

  /** The dimension of the namespace's vectors. */
  get expected(): number {
    return this.number("expected");
  }

  /** The dimension of the vector that was sent. */
  get given(): number {
    return this.number("given");
  }
}
