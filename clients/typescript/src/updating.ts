/** Compare-and-set: read, decide, write if nobody came first. */

import { setTimeout as pause } from "node:timers/promises";

import { CALL_KEYS } from "./binding.js";
import type { Binding, CallOptions } from "./binding.js";
import { RevisionMismatch, SlotExists, SlotNotFound } from "./errors.js";
import type { Keys } from "./options.js";
import { read } from "./reading.js";
import type { Receipt, Slot } from "./results.js";
import { BINARY, TEXT, encodeJson, encodeValue, isBytes, isJson, isText } from "./values.js";
import type { Encoded, Value } from "./values.js";
import { replacing, write } from "./writing.js";
import type { WriteInit } from "./writing.js";

const ATTEMPTS = 20;
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 500;

/** How a value is updated. `timeoutMs` is for each call. */
export interface UpdateOptions<T> extends CallOptions {
  /** What a missing slot is taken to hold; without it a missing slot is SlotNotFound. */
  readonly initial?: T | undefined;
  /** How often to try, 20 by default. */
  readonly attempts?: number | undefined;
}

export const UPDATE_KEYS = { ...CALL_KEYS, initial: true, attempts: true } satisfies Keys<UpdateOptions<unknown>>;

export async function update<T, R>(
  at: Binding,
  name: string,
  change: (value: T) => R | Promise<R>,
  options: UpdateOptions<T>,
): Promise<Receipt> {
  const { attempts = ATTEMPTS, signal } = options;
  if (!(attempts >= 1)) throw new RangeError("update needs at least one attempt");
  for (let tried = 1; ; tried++) {
    const request = await decided(at, name, change, options);
    try {
      return await write(at, request, options);
    } catch (error) {
      const lost = error instanceof RevisionMismatch || error instanceof SlotExists;
      if (!lost || tried >= attempts) throw error;
    }
    const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tried);
    const pausing = pause(Math.random() * longest, undefined, signal === undefined ? {} : { signal });
    await pausing.catch(() => signal?.throwIfAborted());
  }
}

/** The write that follows from what the slot holds now. */
async function decided<T, R>(
  at: Binding,
  name: string,
  change: (value: T) => R | Promise<R>,
  options: UpdateOptions<T>,
): Promise<WriteInit> {
  const slot = await readOrNone(at, name, options);
  const made = (await change((slot === undefined ? options.initial : slot.value) as T)) as Value;
  if (slot === undefined) return replacing(name, made, { ifAbsent: true });
  const { body, contentType } = encoded(made, slot);
  return replacing(name, body, { contentType, ifRevision: slot.revision });
}

async function readOrNone(at: Binding, name: string, options: UpdateOptions<unknown>): Promise<Slot | undefined> {
  try {
    return await read(at, name, options);
  } catch (error) {
    if (error instanceof SlotNotFound && options.initial !== undefined) return undefined;
    throw error;
  }
}

/** The slot keeps its content type when the new value can be stored under it. */
function encoded(value: Value, { contentType }: Slot): Encoded {
  if (isBytes(value)) return { body: value, contentType: isText(contentType) ? BINARY : contentType };
  if (isJson(contentType)) return { body: encodeJson(value), contentType };
  const made = encodeValue(value);
  return made.contentType === TEXT && isText(contentType) ? { ...made, contentType } : made;
}
