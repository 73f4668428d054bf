/** From values to messages. */

import { create } from "@bufbuild/protobuf";
import type { DescMessage, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { DurationSchema, timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { Duration, Timestamp } from "@bufbuild/protobuf/wkt";

import type { Keys } from "./options.js";
import type { AttributeValue } from "./results.js";
import { wellFormed } from "./utf8.js";
import { Language } from "./v1.js";
import type { AttributeValueSchema, PreconditionSchema } from "./v1.js";

const NANOS_LIMIT = 999_999_999;

/** How long a slot lives; unset: as before, or as its namespace says. */
export interface Expiry {
  /** Milliseconds from now, or `"never"`. */
  readonly ttlMs?: number | "never" | undefined;
  /** A point in time, instead of `ttlMs`. */
  readonly expireTime?: Date | undefined;
}

export const EXPIRY_KEYS = { ttlMs: true, expireTime: true } satisfies Keys<Expiry>;

/** What must hold before a change. */
export interface Conditions {
  /** Only if there is no such slot; otherwise SlotExists. */
  readonly ifAbsent?: boolean | undefined;
  /** Only if the slot is at this revision; otherwise RevisionMismatch. */
  readonly ifRevision?: bigint | undefined;
}

export const CONDITION_KEYS = { ifAbsent: true, ifRevision: true } satisfies Keys<Conditions>;

type ExpiryField =
  | { case: "ttl"; value: Duration }
  | { case: "expireTime"; value: Timestamp }
  | { case: "never"; value: boolean }
  | { case: undefined; value?: undefined };

/** Returns the expiry oneof. Throws TypeError when both are given, RangeError when one names no time. */
export function expiry({ ttlMs, expireTime }: Expiry): ExpiryField {
  if (ttlMs !== undefined && expireTime !== undefined) throw new TypeError("give ttlMs or expireTime, not both");
  if (ttlMs === "never") return { case: "never", value: true };
  if (ttlMs !== undefined) return { case: "ttl", value: duration(ttlMs, "ttlMs") };
  return expireTime === undefined
    ? { case: undefined }
    : { case: "expireTime", value: timestamp(expireTime, "expireTime") };
}

/** Returns the precondition, if there is one. Throws TypeError when both are given, and for what is none. */
export function precondition({
  ifAbsent,
  ifRevision,
}: Conditions): MessageInitShape<typeof PreconditionSchema> | undefined {
  if (!["boolean", "undefined"].includes(typeof ifAbsent)) throw new TypeError("ifAbsent is true or false");
  if (ifAbsent === true && ifRevision !== undefined) throw new TypeError("give ifAbsent or ifRevision, not both");
  if (ifAbsent === true) return { condition: { case: "ifAbsent", value: true } };
  return ifRevision === undefined ? undefined : { condition: { case: "ifRevision", value: ifRevision } };
}

/** Returns a span as a message. Throws RangeError when it is not finite. */
export function duration(spanMs: number, what: string): Duration {
  if (!Number.isFinite(spanMs)) {
    throw new RangeError(`${what} is a finite number of milliseconds; a slot that stays has ttlMs "never"`);
  }
  const seconds = Math.trunc(spanMs / 1000);
  const nanos = Math.round((spanMs - seconds * 1000) * 1e6);
  return create(DurationSchema, {
    seconds: BigInt(seconds),
    nanos: Math.min(Math.max(nanos, -NANOS_LIMIT), NANOS_LIMIT),
  });
}

/** Returns a point in time as a message. Throws RangeError when it is none. */
export function timestamp(time: Date, what: string): Timestamp {
  if (!Number.isFinite(time.getTime())) throw new RangeError(`${what} is no point in time`);
  return timestampFromMs(time.getTime());
}

/** Returns an attribute as a message: a number as double, a bigint as int64. Throws RangeError for a bigint beyond 64 bits. */
export function attribute(value: AttributeValue): MessageInitShape<typeof AttributeValueSchema> {
  switch (typeof value) {
    case "string":
      return { kind: { case: "stringValue", value } };
    case "number":
      return { kind: { case: "doubleValue", value } };
    case "bigint":
      if (BigInt.asIntN(64, value) !== value) throw new RangeError("an attribute's integer has 64 bits");
      return { kind: { case: "int64Value", value } };
    case "boolean":
      return { kind: { case: "boolValue", value } };
    default:
      throw new TypeError("an attribute is a string, number, bigint or boolean");
  }
}

/** Returns attributes as messages. Throws as {@link attribute}. */
export function attributes(
  values: Readonly<Record<string, AttributeValue>>,
): Record<string, MessageInitShape<typeof AttributeValueSchema>> {
  // protobuf-es would lose it: it sets keys of a map as those of an object.
  if (Object.hasOwn(values, "__proto__")) throw new TypeError("an attribute cannot be called __proto__");
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, attribute(value)]));
}

/** Returns the number of an enum's member. Throws TypeError for a name that it does not have, which would else be taken for nothing said. */
export function member<E extends Record<string, string | number>>(members: E, name: keyof E, what: string): E[keyof E] {
  const found = Object.hasOwn(members, name) ? members[name] : undefined;
  if (typeof found === "number") return found;
  const names = Object.keys(members).filter((one) => typeof members[one] === "number" && one !== "UNSPECIFIED");
  throw new TypeError(`${what} is one of ${names.join(", ")}`);
}

/** Returns the number of a language; English where none is named. */
export function languageOf(named: keyof typeof Language | undefined): Language {
  return member(Language, named ?? "EN", "language");
}

/** The same of an option, which may be left out. */
export function optional<E extends Record<string, string | number>>(
  members: E,
  name: keyof E | undefined,
  what: string,
): E[keyof E] | undefined {
  return name === undefined ? undefined : member(members, name, what);
}

/** Returns several strings. Throws TypeError for a single one, whose characters would be taken for them, and for what is no string. */
export function strings(values: Iterable<string>, what: string): string[] {
  if (typeof values === "string") throw new TypeError(`${what} are several strings: give an array`);
  return Array.from(values, (value) => wellFormed(value, `each of ${what}`));
}

/** What a message is made of, without the message itself. */
export type Init<D extends DescMessage> = Exclude<MessageInitShape<D>, MessageShape<D>>;

/** What a message is made of: the fields that are not undefined. Fields that the contract does not have are not accepted. */
export function initOf<D extends DescMessage>(
  _schema: D,
  fields: { [K in keyof Init<D>]?: Init<D>[K] | undefined },
): Init<D> {
  return given(fields) as Init<D>;
}

/** The fields that are not undefined, as `exactOptionalPropertyTypes` and protobuf-es want them. */
export function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
