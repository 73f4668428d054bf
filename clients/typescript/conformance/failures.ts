/** An error as the driver tells it. */

import { inspect } from "node:util";

import { AnySchema } from "@bufbuild/protobuf/wkt";
import { ClientClosed, MemslotError, OutcomeUnknown, Unreachable } from "@memslot/client";

import { jsonOf } from "./methods.js";

/** Returns what is told of an error: what the server said, and everything that the error prints. */
export function told(error: unknown): object {
  const text = [String(error), inspect(error, { depth: 10 }), JSON.stringify(error), stacks(error)].join("\n");
  if (!(error instanceof MemslotError)) {
    const type = error instanceof Error ? error.name : typeof error;
    return { code: "INVALID_ARGUMENT", reason: "", own_reason: "", metadata: {}, field: "", details: [], type, text };
  }
  const own = [OutcomeUnknown, Unreachable, ClientClosed].some((kind) => error instanceof kind);
  return {
    code: error.code,
    reason: own ? "" : error.reason,
    own_reason: own ? error.reason : "",
    metadata: error.metadata,
    field: error.field,
    details: error.details.map((detail) => jsonOf(AnySchema, detail)),
    type: error.name,
    text,
  };
}

function stacks(error: unknown): string {
  if (!(error instanceof Error)) return "";
  return `${error.stack ?? ""}\n${stacks(error.cause)}`;
}
