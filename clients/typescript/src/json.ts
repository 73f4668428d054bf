/** JSON in which integers of any length are exact. No error repeats a value. */

import { randomUUID } from "node:crypto";

import { kindOf } from "./utf8.js";

/** What JSON has a form for. An integer that a number cannot hold exactly is a bigint, both ways; all else is a number. */
export type JsonValue =
  null | boolean | number | bigint | string | readonly JsonValue[] | { readonly [key: string]: JsonValue | undefined };

const DEPTH_LIMIT = 100;
const LONG_DIGITS = /\d{16}/;
const NUMBERS = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const INTEGER = /^-?\d{16,}$/;

/**
 * Returns the value that a JSON text stands for: integers beyond ±(2^53 - 1) as bigint, all other numbers as number.
 *
 * Throws SyntaxError, which quotes nothing, when it is no JSON.
 */
export function parseJson(text: string): JsonValue {
  try {
    return LONG_DIGITS.test(text) ? parseWithLongIntegers(text) : (JSON.parse(text) as JsonValue);
  } catch {
    // V8's own message quotes the text.
    throw new SyntaxError("the text is not JSON");
  }
}

/**
 * Returns a value as JSON text without white space. A property that is undefined is left out; an object with `toJSON`, such as a Date,
 * stands for what that returns.
 *
 * Throws TypeError for what JSON has no form for, RangeError for NaN, infinities and nesting deeper than 100.
 */
export function spellJson(value: JsonValue): string {
  return spelled(value, DEPTH_LIMIT);
}

/** JSON.parse knows no integers: long ones go through it as strings behind a mark that nobody can guess. */
function parseWithLongIntegers(text: string): JsonValue {
  JSON.parse(text);
  const mark = randomUUID();
  return JSON.parse(marked(text, mark), (_key, value: JsonValue) =>
    typeof value === "string" && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value,
  ) as JsonValue;
}

function marked(text: string, mark: string): string {
  const pieces: string[] = [];
  for (let at = 0; at < text.length;) {
    const quote = text.indexOf('"', at);
    const numbers = quote < 0 ? text.slice(at) : text.slice(at, quote);
    pieces.push(numbers.replace(NUMBERS, (token) => (unsafe(token) ? `"${mark}${token}"` : token)));
    if (quote < 0) break;
    at = endOfString(text, quote);
    pieces.push(text.slice(quote, at));
  }
  return pieces.join("");
}

/** Behind the quote that closes the string which opens at `quote`. */
function endOfString(text: string, quote: number): number {
  for (let end = quote; ;) {
    end = text.indexOf('"', end + 1);
    let before = end;
    while (text[before - 1] === "\\") before--;
    if ((end - before) % 2 === 0) return end + 1;
  }
}

function unsafe(token: string): boolean {
  return INTEGER.test(token) && !Number.isSafeInteger(Number(token));
}

function spelled(value: unknown, depth: number): string {
  switch (typeof value) {
    case "string":
    case "boolean":
      return JSON.stringify(value);
    case "bigint":
      return value.toString();
    case "number":
      if (!Number.isFinite(value)) throw new RangeError("JSON has no NaN and no infinity: use null or a string");
      return spelledNumber(value);
    case "object":
      return value === null ? "null" : nested(value, depth);
    default:
      throw noJson(value);
  }
}

/** A number is a double: a whole one that may have lost digits has an exponent, so that it comes back as a number. */
function spelledNumber(value: number): string {
  if (Object.is(value, -0)) return "-0.0";
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? value.toExponential() : String(value);
}

function nested(value: object, depth: number): string {
  if (depth === 0)
    throw new RangeError(`the value is nested deeper than ${String(DEPTH_LIMIT)} levels, or contains itself`);
  if (Array.isArray(value)) return `[${Array.from(value, (item: unknown) => spelled(item, depth - 1)).join(",")}]`;
  if ("toJSON" in value && typeof value.toJSON === "function") {
    return spelled((value as { toJSON(): unknown }).toJSON(), depth - 1);
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype && Object.getPrototypeOf(prototype) !== null)
    throw noJson(value);
  const members = Object.entries(value).filter(([, item]) => item !== undefined);
  return `{${members.map(([key, item]) => `${JSON.stringify(key)}:${spelled(item, depth - 1)}`).join(",")}}`;
}

function noJson(value: unknown): TypeError {
  return new TypeError(
    `${kindOf(value)} is no JSON value: store null, booleans, numbers, bigints, strings, arrays and plain objects`,
  );
}
