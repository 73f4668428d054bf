/** Values and bodies: text is stored as text/plain, bytes as application/octet-stream, any other JSON value as application/json. */

import { types } from "node:util";

import { parseJson, spellJson } from "./json.js";
import type { JsonValue } from "./json.js";
import { textOf, utf8 } from "./utf8.js";

export const TEXT = "text/plain";
export const JSON_TYPE = "application/json";
export const BINARY = "application/octet-stream";

/** What a slot can hold: text, bytes, or any other JSON value. */
export type Value = JsonValue | Uint8Array;

/**
 * The type of a value that can be stored, such as that of an interface, which has no index signature: `never` stands for what JSON has no
 * form for, a `Map` for one. An object with `toJSON`, such as a Date, stands for what that returns.
 */
export type Storable<T> = T extends Value ? T : T extends undefined ? never : Jsonable<T>;

type Jsonable<T> = T extends JsonValue | undefined | { toJSON(): unknown }
  ? T
  : T extends symbol | ((...given: never) => unknown)
    ? never
    : { readonly [K in keyof T]: Jsonable<T[K]> };

/** A body and the media type under which it is stored. */
export interface Encoded {
  readonly body: Uint8Array;
  readonly contentType: string;
}

/**
 * Returns the body and content type under which a value is stored. With `contentType` text and bytes are stored as they are under that
 * type, other values as JSON under that type.
 *
 * Throws TypeError for what JSON has no form for and for text that UTF-8 cannot hold, RangeError for NaN, infinities and nesting deeper
 * than 100.
 */
export function encodeValue(value: Value, contentType?: string): Encoded {
  if (typeof value === "string") return { body: utf8(value), contentType: contentType ?? TEXT };
  if (isBytes(value)) return { body: copied(value), contentType: contentType ?? BINARY };
  return { body: encodeJson(value), contentType: contentType ?? JSON_TYPE };
}

/** Whether a value is bytes, also those of another realm, such as a test runner's. */
export function isBytes(value: unknown): value is Uint8Array {
  return types.isUint8Array(value);
}

/** Returns the same bytes in a Uint8Array and a buffer of their own, also those of a Buffer, whose `slice` would not copy. */
export function copied(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes);
}

/** Returns a value as JSON in UTF-8, integers of any length in full. Throws as {@link encodeValue}. */
export function encodeJson(value: JsonValue): Uint8Array {
  return utf8(spellJson(value));
}

/**
 * Returns text for text/*, the JSON value for application/json and `+json` types, and the bytes themselves otherwise.
 *
 * An integer in JSON that a number cannot hold exactly (beyond ±(2^53 - 1)) is a bigint. Throws TypeError or SyntaxError, which quote
 * nothing, when the body is not what its content type says.
 */
export function decodeValue(body: Uint8Array, contentType: string): Value {
  if (isText(contentType)) return textOf(body);
  return isJson(contentType) ? parseJson(textOf(body)) : body;
}

/** Whether a content type promises text. */
export function isText(contentType: string): boolean {
  return mediaType(contentType).startsWith("text/");
}

/** Whether a content type promises JSON. */
export function isJson(contentType: string): boolean {
  const kind = mediaType(contentType);
  return kind === JSON_TYPE || kind.endsWith("+json");
}

function mediaType(contentType: string): string {
  return (contentType.split(";", 1)[0] ?? "").trim().toLowerCase();
}
