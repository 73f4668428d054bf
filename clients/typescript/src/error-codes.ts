/** The base of what the client throws about a call, and one class for each gRPC code. */

import type { Any } from "@bufbuild/protobuf/wkt";

/** What is known of a failure. */
export interface ErrorParts {
  /** In UPPER_SNAKE_CASE, as in the contract; empty when the server did not say any. */
  readonly reason?: string | undefined;
  /** Name of the gRPC code. */
  readonly code?: string | undefined;
  /** Values that belong to the reason. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** The request field to blame. */
  readonly field?: string | undefined;
  /** The server's wish when to ask again. */
  readonly retryAfterMs?: number | undefined;
  /** The request id of the mutation that failed. */
  readonly requestId?: string | undefined;
  /** The status details as they came. */
  readonly details?: readonly Any[] | undefined;
  /** What led to it. */
  readonly cause?: unknown;
}

/**
 * Base of everything that the client throws about a call. It never holds a body.
 *
 * `memory.retry(error)` repeats the mutation that it is about, under the same request id.
 */
export class MemslotError extends Error {
  /** The reason that the class stands for; empty for classes of codes. */
  static readonly reason: string = "";
  /** The gRPC code of what the class stands for. */
  static readonly code: string = "UNKNOWN";

  /** In UPPER_SNAKE_CASE, as in the contract; empty when the server did not say any. */
  readonly reason: string;
  /** Name of the gRPC code, e.g. `NOT_FOUND`. */
  readonly code: string;
  /** Values that belong to the reason. */
  readonly metadata: Readonly<Record<string, string>>;
  /** The request field to blame, or empty. */
  readonly field: string;
  /** The server's wish when to ask again, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** The request id of the mutation that failed; empty for other calls. */
  readonly requestId: string;
  readonly #details: readonly Any[];

  constructor(message: string, parts: ErrorParts = {}) {
    super(message, parts.cause === undefined ? undefined : { cause: parts.cause });
    this.reason = parts.reason ?? new.target.reason;
    this.code = parts.code ?? new.target.code;
    this.metadata = { ...parts.metadata };
    this.field = parts.field ?? "";
    this.retryAfterMs = parts.retryAfterMs;
    this.requestId = parts.requestId ?? "";
    this.#details = parts.details ?? [];
  }

  /** The status details as they came: `google.rpc.ErrorInfo` and others, packed. */
  get details(): readonly Any[] {
    return this.#details;
  }

  /** What a log may keep. */
  toJSON(): Record<string, unknown> {
    const { name, message, reason, code, field, metadata, requestId } = this;
    return { name, message, reason, code, field, metadata, requestId };
  }

  /** A value of the metadata as a number; 0 when it is not there. */
  protected number(key: string): number {
    return Number(this.integer(key));
  }

  /** A value of the metadata as an integer of any size; 0 when it is not there. */
  protected integer(key: string): bigint {
    const text = this.metadata[key] ?? "";
    return /^\d+$/.test(text) ? BigInt(text) : 0n;
  }
}

/** INVALID_ARGUMENT: the request can never work; `field` names what to change. */
export class InvalidRequest extends MemslotError {
  static override readonly code: string = "INVALID_ARGUMENT";
}

/** NOT_FOUND: what was asked for is not there. */
export class NotFound extends MemslotError {
  static override readonly code: string = "NOT_FOUND";
}

/** ALREADY_EXISTS: what was to be created is there. */
export class AlreadyExists extends MemslotError {
  static override readonly code: string = "ALREADY_EXISTS";
}

/** ABORTED: another change came first; read again and decide anew. */
export class Aborted extends MemslotError {
  static override readonly code: string = "ABORTED";
}

/** FAILED_PRECONDITION: it cannot work in the present state. */
export class FailedPrecondition extends MemslotError {
  static override readonly code: string = "FAILED_PRECONDITION";
}

/** RESOURCE_EXHAUSTED: a limit was reached. */
export class ResourceExhausted extends MemslotError {
  static override readonly code: string = "RESOURCE_EXHAUSTED";
}

/** UNAVAILABLE: the sidecar could not answer, also after retries. */
export class Unavailable extends MemslotError {
  static override readonly code: string = "UNAVAILABLE";
}

/** DEADLINE_EXCEEDED: no answer came within the call's timeout. */
export class DeadlineExceeded extends MemslotError {
  static override readonly code: string = "DEADLINE_EXCEEDED";
}

/** PERMISSION_DENIED: the caller may not do this. */
export class PermissionDenied extends MemslotError {
  static override readonly code: string = "PERMISSION_DENIED";
}

/** UNAUTHENTICATED: the caller showed no valid credentials. */
export class Unauthenticated extends MemslotError {
  static override readonly code: string = "UNAUTHENTICATED";
}

/** UNIMPLEMENTED: the server is older than the client, or is no memslot sidecar. */
export class Unimplemented extends MemslotError {
  static override readonly code: string = "UNIMPLEMENTED";
}

/** INTERNAL: the server failed in a way that it did not foresee; its log tells more under `errorId`. */
export class InternalError extends MemslotError {
  static override readonly code: string = "INTERNAL";
  static override readonly reason: string = "INTERNAL";

  /** The id under which the server logged the failure, or empty. */
  get errorId(): string {
    return this.metadata["error_id"] ?? "";
  }
}

/** DATA_LOSS: the store's files are damaged. */
export class StoreCorrupt extends MemslotError {
  static override readonly code: string = "DATA_LOSS";
  static override readonly reason: string = "STORE_CORRUPT";
}
