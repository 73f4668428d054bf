import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { format, inspect } from "node:util";

import { Batch, MemslotError, connect } from "@memslot/client";

import { Sidecar } from "./sidecar.js";

const SECRET = "the-body-that-nobody-prints";
let sidecar: Sidecar;
before(async () => {
  sidecar = await Sidecar.start();
});
after(() => sidecar[Symbol.asyncDispose]());

function silent(...printed: unknown[]): void {
  for (const one of printed) {
    const shown = [inspect(one, { depth: 20, showHidden: true, getters: false }), JSON.stringify(one), inspect([one])];
    const stack = one instanceof Error ? [String(one), one.stack ?? "", inspect(one.cause)] : [];
    for (const text of [...shown, String(one), format("%s %o %O %j", one, one, one, one), ...stack])
      assert.ok(!text.includes(SECRET), text);
  }
}

void test("No object of the client shows a body, printed or as JSON; each can be written as JSON.", async () => {
  await using memory = sidecar.connect({ token: SECRET });
  const receipt = await memory.write("slot", SECRET, { summary: SECRET, attributes: { big: 7n } });
  const slot = await memory.read("slot");
  const summary = await memory.summary("slot");
  assert.equal(summary?.text, SECRET);
  const acted = await memory.act(
    `${SECRET} {"action": "mem_read", "slot": "slot"} {"action": "mem_append", "slot": "slot", "value": "${SECRET}"}`,
    {
      onRead: "SHOW_ONCE",
    },
  );
  assert.equal(acted.actions.length, 2);
  const injection = await memory.inject(["slot"]);
  const batch = new Batch().write("other", SECRET);
  const page = await memory.lookupPage("", { info: true });
  const described = await memory.describe("slot", { summaries: true });
  silent(memory, receipt, slot, summary, acted, ...acted.actions, injection, batch, page, described, memory.namespaces);
  silent(await memory.stats(), await memory.serverInfo(), await memory.namespaces.get(), await memory.beginTask("t"));
  assert.match(inspect(slot), /^Slot \{\s+name: 'slot',.* bodyBytes: 27\s+\}$/s);
  assert.match(JSON.stringify(receipt), /"revision":"1"/);
});

void test("No error shows a body, whatever led to it.", async () => {
  await using memory = sidecar.connect();
  await memory.write("slot", SECRET, { contentType: "text/plain" });
  const nowhere = connect({ target: "127.0.0.1:9" });
  const broken = { toString: () => SECRET, valueOf: () => SECRET };
  const failures = [
    memory.write("slot", SECRET, { ifAbsent: true }),
    memory.write("slot", SECRET, { ifRevision: 99n }),
    memory.write("slot", SECRET.repeat(1000)),
    memory.write("slot", `{"${SECRET}`, { contentType: "application/json" }),
    memory.write("slot", `${SECRET}\ud800`),
    memory.write("slot", [SECRET, NaN]),
    memory.write("slot", { [SECRET]: new Map([[SECRET, 1]]) } as never),
    memory.write("slot", SECRET, { importance: SECRET as never }),
    memory.write("slot", SECRET, { tags: [broken as never] }),
    memory.write("slot", SECRET, { pinned: SECRET as never, vector: [SECRET as never] }),
    memory.patch("slot", { a: SECRET }),
    memory.commit(new Batch().write("a", SECRET).write("a", SECRET)),
    memory.act(SECRET, { requestId: "no uuid" }),
    nowhere.write("slot", SECRET),
  ];
  for (const failed of await Promise.allSettled(failures)) {
    assert.equal(failed.status, "rejected");
    const error: unknown = failed.reason;
    assert.ok(error instanceof MemslotError || error instanceof TypeError || error instanceof RangeError);
    silent(error);
  }
  nowhere.close();
});
