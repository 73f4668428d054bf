import assert from "node:assert/strict";
import test from "node:test";

import { namespace, splitNamespace } from "@memslot/client";

void test("Any strings join to a path, and come back from it.", () => {
  for (const parts of [
    ["acme", "a@b.com"],
    ["auth0|x", "用户-7"],
    ["a/b", "100%", "%2F", "%"],
    [".", "..", "..."],
    [" lead", "trail ", "\u3000x\u3000", "in side"],
    ["e\u0301", "\u212b", "\u0000\n\u007f"],
    ["\ud83d\ude00", "\ud800", "x\udfffy"],
    ["\u202eevil", "\u2028", "\ufeffbom"],
  ]) {
    const path = namespace(...parts);
    assert.deepEqual(splitNamespace(path), parts);
    assert.equal(path.normalize("NFC"), path);
  }
});

void test("What needs no escape has none, and escapes are of UTF-8.", () => {
  assert.equal(namespace("acme", "a@b.com", "用户-7"), "acme/a@b.com/用户-7");
  assert.equal(namespace("a/b", "..", " x", "e\u0301"), "a%2Fb/%2E%2E/%20x/e%CC%81");
  assert.deepEqual(splitNamespace("50%/a%ZZ/%FF"), ["50%", "a%ZZ", "%FF"]);
});

void test("No part, an empty one, a ninth, a segment above 128 bytes and what is no string are refused.", () => {
  const nine: string[] = Array.from({ length: 9 }, () => "a");
  for (const parts of [[], ["a", ""], nine, ["x".repeat(129)], ["/".repeat(43)]]) {
    assert.throws(() => namespace(...parts), RangeError);
  }
  assert.equal(namespace("x".repeat(128)).length, 128);
  // As plain JavaScript gives it: a number has no characters, and would be an empty segment.
  assert.throws(() => namespace("acme", 42 as never), TypeError);
});
