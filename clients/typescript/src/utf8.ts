/** UTF-8 that changes nothing silently: halves of surrogate pairs are refused or kept, a byte order mark at the start stays. */

import { configureTextEncoding } from "@bufbuild/protobuf/wire";

const encoder = new TextEncoder();
const lenient = new TextDecoder("utf-8", { ignoreBOM: true });
const strict = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true });
const LONE = /\p{Surrogate}/u;

// protobuf-es would take U+FEFF off the start of every string.
configureTextEncoding({
  encodeUtf8: (text) => encoder.encode(text),
  decodeUtf8: (bytes, fatal) => (fatal === true ? strict : lenient).decode(bytes),
  checkUtf8: (text) => text.isWellFormed(),
});

/** Bytes of a text. Throws TypeError for half a surrogate pair, which UTF-8 cannot hold. */
export function utf8(text: string, what = "the text"): Uint8Array {
  wellFormed(text, what);
  return encoder.encode(text);
}

/** The text itself. Throws TypeError when it is none, or holds half a surrogate pair, which a message cannot carry. */
export function wellFormed(text: string, what: string): string {
  if (typeof text !== "string") throw new TypeError(`${what} is a string, not ${kindOf(text)}`);
  if (!text.isWellFormed()) {
    throw new TypeError(`${what} holds half a surrogate pair at ${String(text.search(LONE))}, which UTF-8 cannot hold`);
  }
  return text;
}

/** Text of bytes. Throws TypeError, which quotes nothing, when they are not UTF-8. */
export function textOf(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes);
  } catch {
    throw new TypeError("the body is not UTF-8 text");
  }
}

/** Bytes of a text, halves of surrogate pairs encoded as if they were characters. */
export function generalizedUtf8(text: string): Uint8Array {
  const pieces: Uint8Array[] = [];
  let start = 0;
  for (const { index, 0: half } of text.matchAll(/\p{Surrogate}/gu)) {
    const code = half.charCodeAt(0);
    pieces.push(encoder.encode(text.slice(start, index)));
    pieces.push(Uint8Array.of(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)));
    start = index + 1;
  }
  return Buffer.concat([...pieces, encoder.encode(text.slice(start))]);
}

/** The text that {@link generalizedUtf8} made bytes of; undefined when it made none such. */
export function fromGeneralizedUtf8(bytes: Uint8Array): string | undefined {
  let text = "";
  let start = 0;
  try {
    for (let at = 0; at < bytes.length; at++) {
      const [lead, second, third] = bytes.subarray(at, at + 3);
      if (lead !== 0xed || second === undefined || second < 0xa0 || third === undefined || (third & 0xc0) !== 0x80)
        continue;
      text +=
        strict.decode(bytes.subarray(start, at)) +
        String.fromCharCode(0xd000 | ((second & 0x3f) << 6) | (third & 0x3f));
      start = at + 3;
      at += 2;
    }
    return text + strict.decode(bytes.subarray(start));
  } catch {
    return undefined;
  }
}

/** What a value is, for an error that must not show it. */
export function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (typeof value !== "object") return typeof value;
  const made = (value as { constructor?: { name?: unknown } }).constructor?.name;
  return typeof made === "string" && made !== "" ? made : "object";
}
