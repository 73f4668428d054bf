/** Values and bodies: text is stored as text/plain, bytes as application/octet-stream, any other JSON value as application/json. */

import { parseJson, spellJson } from "./json.js";
import type { JsonValue } from "./json.js";
import { textOf, utf8 } from "./utf8.js";

export const TEXT = "text/plain";
export const JSON_TYPE = "application/json";
export const BINARY = "application/octet-stream";

/** What a slot can hold: text, bytes, or any other JSON value. */
export type Value = JsonValue | Uint8Array;

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
  if (value instanceof Uint8Array) return { body: value, contentType: contentType ?? BINARY };
  return { body: encodeJson(value), contentType: contentType ?? JSON_TYPE };
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
