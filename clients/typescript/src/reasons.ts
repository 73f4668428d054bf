/** The table from reasons and gRPC codes to error classes, made from the classes themselves. */

import * as errors from "./errors.js";
import type { ErrorParts } from "./errors.js";

type ErrorClass = typeof errors.MemslotError;

/** What the client says by itself, whatever the code. */
const OWN: readonly ErrorClass[] = [errors.OutcomeUnknown, errors.ClientClosed];
const BY_REASON = new Map<string, ErrorClass>();
const BY_CODE = new Map<string, ErrorClass>();
for (const [name, kind] of Object.entries(errors)) {
  Object.defineProperty(kind.prototype, "name", { value: name, configurable: true, writable: true });
  if (kind.reason !== "") BY_REASON.set(kind.reason, kind);
  if (Object.getPrototypeOf(kind) === errors.MemslotError && !OWN.includes(kind)) BY_CODE.set(kind.code, kind);
}

/** Returns the error for what a server said: of the reason's class, else of the code's, else a plain MemslotError. */
export function errorFor(message: string, parts: ErrorParts & { reason: string; code: string }): errors.MemslotError {
  const kind = BY_REASON.get(parts.reason) ?? BY_CODE.get(parts.code) ?? errors.MemslotError;
  return new kind(message, parts);
}
