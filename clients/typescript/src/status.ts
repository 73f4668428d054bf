/** From what gRPC reports to the client's errors. */

import { fromBinary } from "@bufbuild/protobuf";
import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import type { Any } from "@bufbuild/protobuf/wkt";
import { status as codes } from "@grpc/grpc-js";
import type { ServiceError } from "@grpc/grpc-js";

import { Unreachable } from "./errors.js";
import type { MemslotError } from "./errors.js";
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from "./gen/google/rpc/error_details_pb.js";
import { StatusSchema } from "./gen/google/rpc/status_pb.js";
import type { Status } from "./gen/google/rpc/status_pb.js";
import { errorFor } from "./reasons.js";
import type { UnknownHost } from "./target.js";

const DETAILS_KEY = "grpc-status-details-bin";
/** That of the sidecar's reasons; a proxy's are none of ours. */
const DOMAIN = "memslot";
/** What grpc-js says by itself, with the limit behind it. */
const NOT_SENT = "Attempted to send message with a size larger than";

/** Returns the error for a failed RPC: from the status in its trailers, else from its code alone. `waitedMs` is the timeout, where it is over. */
export function rpcError(error: ServiceError, waitedMs?: number): MemslotError {
  const [packed] = error.metadata.get(DETAILS_KEY);
  const told = packed instanceof Buffer ? statusIn(packed) : undefined;
  if (told !== undefined) return statusError(told);
  if (error.code === codes.DEADLINE_EXCEEDED && waitedMs !== undefined) {
    const waited = String(Math.round(waitedMs) / 1000);
    const late = `no answer within ${waited} s: raise timeoutMs of the call or of the client`;
    return errorFor(late, { reason: "", code: codeName(error.code) });
  }
  const remedy = error.details.startsWith(NOT_SENT) ? " bytes: split it, a body has 3,900,000 bytes at most" : "";
  return errorFor(error.details + remedy, { reason: "", code: codeName(error.code) });
}

/** Returns the error for a status with its details. */
export function statusError(status: Status): MemslotError {
  let reason = "";
  let metadata: Record<string, string> = {};
  let field = "";
  let retryAfterMs: number | undefined;
  for (const detail of status.details) {
    const info = unpacked(detail, ErrorInfoSchema);
    if (info?.domain === DOMAIN && reason === "") ({ reason, metadata } = info);
    field ||= unpacked(detail, BadRequestSchema)?.fieldViolations[0]?.field ?? "";
    const delay = unpacked(detail, RetryInfoSchema)?.retryDelay;
    if (delay !== undefined) retryAfterMs = Number(delay.seconds) * 1000 + delay.nanos / 1e6;
  }
  const parts = { reason, code: codeName(status.code), metadata, field, retryAfterMs, details: status.details };
  return errorFor(status.message, parts);
}

/** Returns the error for a sidecar to which no connection was made; `unknown` is the host name that is to blame, if one is. */
export function unreachable(target: string, why: string, unknown?: UnknownHost): Unreachable {
  const [reason, remedy] =
    unknown === undefined
      ? [why, "is `memslot serve` running there?"]
      : [`the host name ${unknown.host} is unknown, ${unknown.code}`, "is the target spelt right?"];
  return new Unreachable(`no memslot sidecar answers at ${target} (${reason}): ${remedy}`);
}

function codeName(code: number): string {
  return codes[code] ?? "UNKNOWN";
}

function statusIn(bytes: Buffer): Status | undefined {
  return readable(() => fromBinary(StatusSchema, bytes));
}

/** A detail, where it is of that type. */
function unpacked<D extends DescMessage>(detail: Any, schema: D): MessageShape<D> | undefined {
  return readable(() => anyUnpack(detail, schema));
}

/** What cannot be read must not stand before the error that it belongs to. */
function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
