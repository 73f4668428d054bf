import assert from "node:assert/strict";
import test from "node:test";

import { parseJson, spellJson } from "@memslot/client";
import type { JsonValue } from "@memslot/client";

/** Numbers that are the same every time. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    yield state / 2 ** 31;
  }
}

function made(random: Generator<number, never>, depth: number): JsonValue {
  const pick = Math.floor(random.next().value * (depth > 0 ? 8 : 6));
  const digits = BigInt(Math.floor(random.next().value * 2 ** 31)) ** BigInt(Math.floor(random.next().value * 9));
  const text = ['"', "\\", '\\"', "12345678901234567890", "😀", "\u0000", "é", "{", "\ud800"]
    .filter(() => random.next().value < 0.4)
    .join("");
  switch (pick) {
    case 0:
      return null;
    case 1:
      return random.next().value < 0.5;
    case 2:
      return digits > BigInt(Number.MAX_SAFE_INTEGER) ? (random.next().value < 0.5 ? digits : -digits) : Number(digits);
    case 3:
      return random.next().value * 10 ** (random.next().value * 40 - 20) + 0.5;
    case 4:
    case 5:
      return text;
    case 6:
      return Array.from({ length: 3 }, () => made(random, depth - 1));
    default:
      return Object.fromEntries([text, "__proto__", "a"].map((key) => [key, made(random, depth - 1)]));
  }
}

void test("Any JSON value comes back as it was: integers of any length, strings that look like integers, odd keys.", () => {
  const random = numbers(7);
  for (let round = 0; round < 2000; round++) {
    const value = made(random, 4);
    assert.deepStrictEqual(parseJson(spellJson(value)), value);
  }
});

void test("Integers beyond 2^53 - 1 are bigints, all other numbers are numbers.", () => {
  const text =
    "[9007199254740991,9007199254740992,-9007199254740993,1e20,12345678901234567890.5,0.1234567890123456789]";
  const expected = [
    9007199254740991,
    9007199254740992n,
    -9007199254740993n,
    1e20,
    Number("12345678901234567890.5"),
    0.12345678901234568,
  ];
  assert.deepStrictEqual(parseJson(text), expected);
  assert.equal(spellJson(2n ** 64n), "18446744073709551616");
  assert.equal(spellJson(2 ** 53), "9.007199254740992e+15");
  assert.equal(spellJson(Number.MAX_SAFE_INTEGER), "9007199254740991");
  assert.equal(spellJson(-0), "-0.0");
});

void test("An integer of a hundred thousand digits, and a megabyte of escaped quotes beside it, are exact.", () => {
  const digits = "7".repeat(100_000);
  const quotes = '"'.repeat(1_000_000);
  const value = parseJson(`{"n": ${digits}, "s": ${JSON.stringify(quotes)}}`) as { n: bigint; s: string };
  assert.equal(value.n.toString(), digits);
  assert.equal(value.s, quotes);
});

void test("What is no JSON is refused with an error that quotes nothing.", () => {
  for (const text of ['{"secret": nope}', '"secret', "[1234567890123456789 secret]", "", "01", "NaN"]) {
    assert.throws(
      () => parseJson(text),
      (error: Error) => {
        assert.ok(error instanceof SyntaxError);
        assert.ok(!`${error.message}${error.stack ?? ""}${String(error.cause)}`.includes("secret"));
        return true;
      },
    );
  }
});

void test("What JSON has no form for is refused, and not changed to something else.", () => {
  const cycle: unknown[] = [];
  cycle.push(cycle);
  const holes = new Array<number>(2);
  for (const [value, error] of [
    [NaN, RangeError],
    [Infinity, RangeError],
    [undefined, TypeError],
    [[undefined], TypeError],
    [holes, TypeError],
    [new Map([["secret", 1]]), TypeError],
    [new Set([1]), TypeError],
    [Symbol("secret"), TypeError],
    [() => 1, TypeError],
    [cycle, RangeError],
    [/secret/, TypeError],
  ] as const) {
    assert.throws(() => spellJson(value as unknown as JsonValue), error);
  }
});

void test("A property that is undefined is left out, and an object with toJSON stands for what that returns.", () => {
  const date = new Date(0);
  assert.equal(spellJson({ a: undefined, b: date } as unknown as JsonValue), '{"b":"1970-01-01T00:00:00.000Z"}');
});
