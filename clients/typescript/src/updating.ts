/** Compare-and-set: read, decide, write if nobody came first. */

import { setTimeout as pause } from "node:timers/promises";

import { CALL_KEYS } from "./binding.js";
import type { Binding, CallOptions } from "./binding.js";
import { RevisionMismatch, SlotExists, SlotNotFound } from "./errors.js";
import type { Keys } from "./options.js";
import { read } from "./reading.js";
import type { Receipt, Slot } from "./results.js";
import { BINARY, TEXT, encodeJson, encodeValue, isJson, isText } from "./values.js";
import type { Encoded, Value } from "./values.js";
import { replacing, write } from "./writing.js";

const ATTEMPTS = 20;
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 500;

/** How a value is updated. */
export interface UpdateOptions<T extends Value> extends CallOptions {
  /** What a missing slot is taken to hold; without it a missing slot is SlotNotFound. */
  readonly initial?: T | undefined;
  /** How often to try, 20 by default. */
  readonly attempts?: number | undefined;
}

export const UPDATE_KEYS = { ...CALL_KEYS, initial: true, attempts: true } satisfies Keys<UpdateOptions<Value>>;

export async function update<T extends Value>(
  at: Binding,
  name: string,
  change: (value: T) => Value | Promise<Value>,
  options: UpdateOptions<T>,
): Promise<Receipt> {
  const { attempts = ATTEMPTS, signal } = options;
  if (attempts < 1) throw new RangeError("update needs at least one attempt");
  for (let tried = 1; ; tried++) {
    try {
      return await attempt(at, name, change, options);
    } catch (error) {
      const lost = error instanceof RevisionMismatch || error instanceof SlotExists;
      if (!lost || tried >= attempts) throw error;
    }
    const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tried);
    await pause(Math.random() * longest, undefined, signal === undefined ? {} : { signal });
  }
}

async function attempt<T extends Value>(
  at: Binding,
  name: string,
  change: (value: T) => Value | Promise<Value>,
  options: UpdateOptions<T>,
): Promise<Receipt> {
  const slot = await readOrNone(at, name, options);
  if (slot === undefined) {
    const made = await change(options.initial as T);
    return write(at, replacing(name, made, { ifAbsent: true }), options);
  }
  const { body, contentType } = encoded(await change(slot.value as T), slot);
  return write(at, replacing(name, body, { contentType, ifRevision: slot.revision }), options);
}

async function readOrNone<T extends Value>(
  at: Binding,
  name: string,
  options: UpdateOptions<T>,
): Promise<Slot | undefined> {
  try {
    return await read(at, name, options);
  } catch (error) {
    if (error instanceof SlotNotFound && options.initial !== undefined) return undefined;
    throw error;
  }
}

/** The slot keeps its content type when the new value can be stored under it. */
function encoded(value: Value, { contentType }: Slot): Encoded {
  if (value instanceof Uint8Array) return { body: value, contentType: isText(contentType) ? BINARY : contentType };
  if (isJson(contentType)) return { body: encodeJson(value), contentType };
  const made = encodeValue(value);
  return made.contentType === TEXT && isText(contentType) ? { ...made, contentType } : made;
}
