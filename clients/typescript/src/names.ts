/** Namespace paths from any strings, and back. */

import { fromGeneralizedUtf8, generalizedUtf8 } from "./utf8.js";

const SEGMENT_LIMIT = 8;
const SEGMENT_LIMIT_BYTES = 128;
const FORBIDDEN = /^[/%\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]$/u;
const SPACE = /^\p{Zs}$/u;
const UNRESERVED = /^[A-Za-z0-9_~-]$/;

/**
 * Joins 1 to 8 strings of any content into a namespace path, one segment each, so that {@link splitNamespace} gives them back.
 *
 * What a segment may not hold is written as `%XX` of its UTF-8 bytes: `/` and `%`, control and bidirectional-override characters, a
 * leading or trailing space, the whole segments `.` and `..`, and text that is not in Unicode's NFC. Everything else stays as it is, so
 * `namespace("acme", "a@b.com")` is `acme/a@b.com`.
 *
 * Throws RangeError for no part, more than 8 parts, an empty part, or a segment of more than 128 bytes, TypeError for a part that is no string.
 */
export function namespace(...parts: string[]): string {
  if (parts.length < 1 || parts.length > SEGMENT_LIMIT) {
    throw new RangeError(`a namespace has 1 to ${String(SEGMENT_LIMIT)} parts, not ${String(parts.length)}`);
  }
  return parts.map(segment).join("/");
}

/** Returns the parts that {@link namespace} joined. In paths that were written by hand a `%` that begins no escape stands for itself. */
export function splitNamespace(path: string): string[] {
  return path.split("/").map((part) =>
    part.replace(/(?:%[0-9A-Fa-f]{2})+/g, (escapes) => {
      const bytes = Buffer.from(escapes.replaceAll("%", ""), "hex");
      return fromGeneralizedUtf8(bytes) ?? escapes;
    }),
  );
}

function segment(part: string, position: number): string {
  if (typeof part !== "string") throw new TypeError(`part ${String(position)} of the namespace is no string`);
  if (part === "") throw new RangeError(`part ${String(position)} of the namespace is empty`);
  let made = escaped(part);
  if (made.normalize("NFC") !== made) made = made.replace(/[^\0-\x7f]/gu, percent);
  const size = generalizedUtf8(made).length;
  if (size > SEGMENT_LIMIT_BYTES) {
    const told = `part ${String(position)} of the namespace takes ${String(size)} bytes as a segment`;
    throw new RangeError(`${told}, at most ${String(SEGMENT_LIMIT_BYTES)} fit`);
  }
  return made;
}

function escaped(part: string): string {
  if (part === "." || part === "..") return "%2E".repeat(part.length);
  const characters = Array.from(part);
  const last = characters.length - 1;
  return characters
    .map((one, at) => (FORBIDDEN.test(one) || ((at === 0 || at === last) && SPACE.test(one)) ? percent(one) : one))
    .join("");
}

function percent(character: string): string {
  if (UNRESERVED.test(character)) return character;
  return Array.from(generalizedUtf8(character), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join(
    "",
  );
}
