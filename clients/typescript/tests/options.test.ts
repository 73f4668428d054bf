import assert from "node:assert/strict";
import { test } from "node:test";

import { Batch, OutcomeUnknown, PromptCard, connect, where } from "@memslot/client";
import { SlotService, AdminService } from "@memslot/client/v1";

import { Sidecar } from "./sidecar.js";

/** As plain JavaScript gives them: the compiler does not see the key. */
const WRONG: object = { tpyo: 5 };
const refused = (error: unknown): boolean =>
  error instanceof TypeError && error.message.startsWith("unknown key tpyo: ");

void test("Objects of a caller's own in the place of the package's are told as that.", async () => {
  await using memory = connect({ target: "127.0.0.1:9" });
  const own = { tags: ["a"] } as never;
  await assert.rejects(memory.lookupPage("", { where: own }), /^TypeError: a condition is made by where, /);
  await assert.rejects(memory.search("x", { where: own }), /^TypeError: a condition is made by where, /);
  await assert.rejects(memory.forgetMatching({ where: own }), /^TypeError: a condition is made by where, /);
  await assert.rejects(memory.commit(own), /^TypeError: commit takes a Batch/);
  const path = "acme" as never;
  assert.throws(() => memory.namespaces.update(path, {}), /^TypeError: the settings come first, then the path/);
});

void test("A key that a method does not know is refused, with the closest one and all that are known, before anything is sent.", async () => {
  await using memory = connect({ target: "127.0.0.1:9" });
  const told = (key: string): RegExp => new RegExp(`^TypeError: unknown key ${key}: the closest is `);
  const ttl: object = { ttl: 5 };
  await assert.rejects(memory.write("a", "b", ttl), told("ttl"));
  await assert.rejects(
    memory.write("a", "b", ttl),
    /closest is ttlMs; known are ttlMs, expireTime, ifAbsent, ifRevision, /,
  );
  const revision: object = { if_revision: 7n };
  await assert.rejects(
    memory.forget("a", revision),
    /^TypeError: unknown key if_revision: the closest is ifRevision; /,
  );
  const target: object = { targt: "127.0.0.1:9" };
  assert.throws(() => connect(target), /^TypeError: unknown key targt: the closest is target; known are target, /);
  const inherited: object = { constructor: 1 };
  await assert.rejects(memory.read("a", inherited), told("constructor"));
  const text = "text/plain" as unknown as object;
  await assert.rejects(memory.write("a", "b", text), /^TypeError: options are an object, not string$/);
});

void test("Every method that takes options refuses a key that it does not know.", async () => {
  await using memory = connect({ target: "127.0.0.1:9" });
  const { namespaces } = memory;
  const output: (string | object)[] = ["", {}];
  const calls: (() => Promise<unknown>)[] = [
    () => memory.write("a", "b", WRONG),
    () => memory.append("a", "b", WRONG),
    () => memory.patch("a", {}, WRONG),
    () => memory.update("a", () => "b", WRONG),
    () => memory.updateInfo("a", WRONG),
    () => memory.updateInfo("a", {}, WRONG),
    () => memory.read("a", WRONG),
    () => memory.readIfChanged("a", 1n, WRONG),
    () => memory.readMany(["a"], WRONG),
    () => memory.readMany([], WRONG),
    () => memory.summary("a", WRONG),
    () => memory.describe("a", WRONG),
    () => memory.describeMany(["a"], WRONG),
    async () => memory.lookup("", WRONG).next(),
    () => memory.lookupPage("", WRONG),
    () => memory.search("a", WRONG),
    () => memory.forget("a", WRONG),
    () => memory.forgetMatching({ ...WRONG, everything: true }),
    () => memory.commit(new Batch(), WRONG),
    () => memory.versions("a", WRONG),
    () => memory.readVersion("a", 1n, WRONG),
    () => memory.act(output, WRONG),
    () => memory.promptCard(WRONG),
    () => memory.toolSchemas("OPENAI", WRONG),
    () => memory.inject(["a"], WRONG),
    () => memory.injected(["a"], [], () => "", WRONG),
    () => memory.scrub("", WRONG),
    () => memory.scrub([], WRONG),
    () => memory.recordTurn("", "", WRONG),
    () => memory.tokenReport(WRONG),
    () => memory.inspectPrompt("", WRONG),
    () => memory.diagnose("", WRONG),
    () => memory.task("a", () => "", WRONG),
    () => memory.beginTask("a", WRONG),
    () => memory.serverInfo(WRONG),
    () => memory.stats(WRONG),
    () => memory.retry(new OutcomeUnknown("", { reason: "", code: "UNAVAILABLE" }), WRONG),
    () => memory.call(SlotService.method.read, {}, WRONG),
    async () => memory.stream(AdminService.method.backup, {}, WRONG).next(),
    async () => namespaces.update(WRONG),
    async () => namespaces.update({}, WRONG),
    () => namespaces.get("a", WRONG),
    () => namespaces.list("", WRONG).next(),
    async () => namespaces.delete("a", WRONG),
  ];
  for (const call of calls) await assert.rejects(call, refused, String(call));
});

void test("What takes options without a call refuses a key that it does not know at once.", () => {
  const memory = connect({ target: "127.0.0.1:9" });
  const card = new PromptCard({
    text: "card",
    tail: "",
    tokenCounter: "",
    listed: 0,
    slots: 0,
    cardRevision: 0n,
    renewed: false,
    tokens: 0,
    revision: 0n,
  });
  const takers: (() => unknown)[] = [
    () => connect(WRONG),
    () => connect({ tls: WRONG }),
    () => memory.turn("7", WRONG),
    () => new Batch().write("a", "b", WRONG),
    () => new Batch().append("a", "b", WRONG),
    () => new Batch().patch("a", {}, WRONG),
    () => new Batch().forget("a", WRONG),
    () => new Batch().check("a", { ...WRONG, ifAbsent: true }),
    () => card.around([], WRONG),
  ];
  for (const taker of takers) assert.throws(taker, refused, String(taker));
  memory.close();
});

void test("A name that an enumeration does not have is refused, not taken for nothing said.", async () => {
  await using sidecar = await Sidecar.start();
  await using memory = sidecar.connect();
  const { namespaces } = memory;
  await namespaces.update({ overflow: "EVICT_LOWEST_RANK" });
  const [wrong, near] = ["nope" as never, "evict_lowest_rank" as never];
  const calls: (() => Promise<unknown>)[] = [
    () => memory.write("a", "b", { origin: wrong }),
    () => memory.write("a", "b", { origin: "1" as never }),
    () => memory.write("a", "b", { origin: "toString" as never }),
    () => memory.updateInfo("a", { origin: wrong }),
    () => memory.lookupPage("", { order: wrong }),
    () => memory.search("a", { mode: wrong }),
    () => memory.act("a", { onRead: wrong }),
    () => memory.act("a", { language: wrong }),
    () => memory.promptCard({ language: wrong }),
    () => memory.toolSchemas(wrong),
    () => memory.inject(["a"], { language: wrong }),
    () => memory.tokenReport({ language: wrong }),
    () => memory.diagnose("", { language: wrong }),
    async () => namespaces.update({ overflow: near }),
    async () => namespaces.update({ indexMode: wrong }),
    async () => namespaces.update({ vectorIndex: wrong }),
    async () => namespaces.update({ summaryMode: wrong }),
    async () => Promise.resolve(where.origin.in(wrong)),
    () => memory.write("a", "b", { ifAbsent: 1 as never }),
    () => memory.lookup("", { limit: NaN }).next(),
    () => memory.lookup("", { limit: -1 }).next(),
    () => memory.update("a", () => "b", { attempts: NaN }),
  ];
  const refused = (error: unknown): boolean => error instanceof TypeError || error instanceof RangeError;
  for (const call of calls) await assert.rejects(call, refused, String(call));
  await assert.rejects(
    memory.search("a", { mode: wrong }),
    /^TypeError: mode is one of AUTO, FULLTEXT, VECTOR, HYBRID$/,
  );
  assert.equal((await namespaces.get()).settings.overflow, "EVICT_LOWEST_RANK");
});
