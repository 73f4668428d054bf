/** What a closed client says of a call that comes too late, or was under way. */

import { ClientClosed } from "./errors.js";

const REMEDY = "open a new one with connect";

/** Errors of calls that closing cut off, which the server may have received. */
const cut = new WeakSet<object>();

/** Returns the error for a call on a closed client: nothing was sent. */
export function closed(): ClientClosed {
  return new ClientClosed(`the client is closed: ${REMEDY}`);
}

/** Returns the error for a call that closing cut off. */
export function closedUnderWay(): ClientClosed {
  const error = new ClientClosed(`the client was closed while the call was under way: ${REMEDY}`);
  cut.add(error);
  return error;
}

/** Whether an error is of a call that closing cut off. */
export function wasUnderWay(error: object): boolean {
  return cut.has(error);
}
