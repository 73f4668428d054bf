/** Where to connect: what cannot be a target is told when the client is made, not at the deadline. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { connect } from "@memslot/client";

void test("what is no target is told at once", () => {
  for (const target of [
    "127.0.0.1",
    "localhost",
    "/run/memslot.sock",
    "memslot:7420x",
    "127.0.0.1:99999",
    "127.0.0.1:",
    "::1",
    ":7420",
    "tcp://127.0.0.1:7420",
  ])
    assert.throws(() => connect({ target }), { name: "TypeError", message: /^.* is no target: write host:port/ });
});

void test("all that gRPC resolves is a target", () => {
  for (const target of ["memslot:1", "[::1]:7420", "unix:here.sock", "dns:///memslot:1", "ipv4:127.0.0.1:1"])
    connect({ target }).close();
});

void test("a target that is no text is told so", () => {
  assert.throws(() => connect({ target: 7420 as unknown as string }), { message: /^a target is a string, not number/ });
});
