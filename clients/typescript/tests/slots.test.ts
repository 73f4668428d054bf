import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { runInNewContext } from "node:vm";

import * as errors from "@memslot/client";
import { Batch, where } from "@memslot/client";
import type { Value } from "@memslot/client";

import { Sidecar } from "./sidecar.js";

let sidecar: Sidecar;
before(async () => {
  sidecar = await Sidecar.start();
});
after(() => sidecar[Symbol.asyncDispose]());

void test("Text, bytes and JSON come back as what they were stored as.", async () => {
  await using memory = sidecar.connect();
  const values: [Value, string][] = [
    ["", "text/plain"],
    ["\ufeff caf\u00e9 😀 \u0000", "text/plain"],
    [new Uint8Array([0, 255, 128]), "application/octet-stream"],
    [{ huge: 12345678901234567890n, list: [1, -2.5, null, true, "x"], __proto__x: {} }, "application/json"],
    [9007199254740993n, "application/json"],
    [null, "application/json"],
    [[], "application/json"],
  ];
  for (const [value, contentType] of values) {
    await memory.write("slot", value);
    const slot = await memory.read("slot");
    assert.equal(slot.contentType, contentType);
    if (value instanceof Uint8Array) assert.deepEqual(new Uint8Array(slot.value as Uint8Array), value);
    else assert.deepStrictEqual(slot.value, value);
  }
});

void test("Bytes are stored as they were when they were given, from whatever realm, and come back in a buffer of their own.", async () => {
  await using memory = sidecar.connect();
  const bytes = Uint8Array.of(1, 2);
  const batch = new Batch().write("batch", bytes);
  const writing = [
    memory.write("bytes", bytes),
    memory.append("log", bytes),
    memory.write("view", Buffer.from(bytes.buffer)),
  ];
  bytes.fill(9);
  await Promise.all([...writing, memory.commit(batch)]);
  for (const name of ["bytes", "log", "view", "batch"]) {
    assert.deepEqual([...(await memory.read(name)).body], [1, 2], name);
  }
  const { body: read } = (await memory.readMany(["bytes", "log"])).get("log") ?? assert.fail();
  assert.deepEqual([read.constructor, read.byteOffset, read.buffer.byteLength], [Uint8Array, 0, 2]);
  const foreign = runInNewContext("Uint8Array.of(3, 4)") as Uint8Array;
  assert.ok(!(foreign instanceof Uint8Array));
  await memory.write("bytes", foreign);
  const { contentType, body } = await memory.read("bytes");
  assert.deepEqual([contentType, [...body]], ["application/octet-stream", [3, 4]]);
});

void test("What an update's function throws ends the update, also where it is of the kind that another attempt would mend.", async () => {
  await using memory = sidecar.connect();
  await memory.write("slot", 1);
  let runs = 0;
  const conflicting = async (): Promise<number> => {
    runs++;
    await memory.write("other", 1, { ifRevision: 999n });
    return 2;
  };
  await assert.rejects(memory.update("slot", conflicting), errors.RevisionMismatch);
  const throwing = (): number => {
    throw new Error("mine");
  };
  await assert.rejects(memory.update("slot", throwing), /^Error: mine$/);
  assert.deepEqual([runs, (await memory.read("slot")).value], [1, 1]);
});

void test("An attribute whose name the messages cannot hold is refused, not lost.", async () => {
  await using memory = sidecar.connect();
  const attributes = JSON.parse('{"__proto__": "x"}') as Record<string, string>;
  await assert.rejects(memory.write("slot", 1, { attributes }), TypeError);
});

void test("An integer beyond 2^53 survives an update that leaves it alone.", async () => {
  await using memory = sidecar.connect();
  await memory.write("ids", new TextEncoder().encode('{"id": 98765432109876543210, "n": 1}'), {
    contentType: "application/json",
  });
  await memory.update<{ id: bigint; n: number }>("ids", (value) => ({ ...value, n: value.n + 1 }));
  assert.equal((await memory.read("ids")).text, '{"id":98765432109876543210,"n":2}');
});

void test("Half a surrogate pair is refused rather than changed, in texts and in names.", async () => {
  await using memory = sidecar.connect();
  await assert.rejects(memory.write("slot", "a\ud800"), TypeError);
  await assert.rejects(memory.write("\udc00", "a"), TypeError);
  await assert.rejects(memory.read("a\ud800"), TypeError);
});

void test("A name that starts with a byte order mark keeps it.", async () => {
  await using memory = sidecar.connect();
  await memory.write("\ufeffname", "x");
  const names: string[] = [];
  for await (const entry of memory.lookup()) names.push(entry.name);
  assert.deepEqual(names, ["\ufeffname"]);
});

void test("What is said about a slot is told by describe, and updateInfo changes and clears it.", async () => {
  await using memory = sidecar.connect();
  const attributes = { step: 3, size: 2n ** 60n, lang: "en", done: false };
  await memory.write("slot", "text", {
    description: "A line.",
    taskType: "chat",
    tags: ["b", "a"],
    attributes,
    importance: 0.5,
    pinned: true,
    origin: "USER",
    ttlMs: 60_000,
  });
  const info = await memory.describe("slot");
  assert.deepEqual(info.tags, ["a", "b"]);
  assert.deepStrictEqual({ ...info.attributes }, attributes);
  assert.deepEqual([info.description, info.taskType, info.pinned, info.origin], ["A line.", "chat", true, "USER"]);
  assert.ok(info.expireTime !== undefined && info.expireTime > info.createTime);
  const receipt = await memory.updateInfo("slot", { description: "", tags: [], pinned: false, ttlMs: "never" });
  assert.equal(receipt.outcome, "UPDATED");
  const changed = await memory.describe("slot");
  assert.deepEqual([changed.description, changed.tags, changed.pinned], ["", [], false]);
  assert.equal(changed.expireTime, undefined);
  assert.equal(changed.taskType, "chat");
});

void test("Each reason is a class of its own below its code's, with what belongs to it.", async () => {
  await using memory = sidecar.connect();
  const { revision } = await memory.write("slot", "1");
  await assert.rejects(memory.read("none"), errors.SlotNotFound);
  await assert.rejects(memory.read("none"), errors.NotFound);
  await assert.rejects(memory.write("slot", "2", { ifAbsent: true }), (error) => {
    assert.ok(error instanceof errors.SlotExists && error instanceof errors.AlreadyExists);
    assert.equal(error.currentRevision, revision);
    assert.notEqual(error.requestId, "");
    return true;
  });
  await assert.rejects(memory.forget("slot", { ifRevision: revision + 1n }), (error) => {
    assert.ok(error instanceof errors.RevisionMismatch);
    assert.deepEqual([error.code, error.name, error.currentRevision], ["ABORTED", "RevisionMismatch", revision]);
    return true;
  });
  await assert.rejects(memory.write("big", "x".repeat(5000)), (error) => {
    assert.ok(error instanceof errors.BodyTooLarge);
    assert.deepEqual([error.size, error.limit, error.field], [5000, 4096, "body"]);
    return true;
  });
});

void test("Twenty writers that update one slot lose nothing.", async () => {
  await using memory = sidecar.connect();
  const one = (): Promise<unknown> =>
    memory.update<number>("count", (count) => count + 1, { initial: 0, attempts: 1000 });
  await Promise.all(Array.from({ length: 20 }, one));
  assert.equal((await memory.read("count")).value, 20);
});

void test("A commit happens whole or not at all, and names the operation that is to blame.", async () => {
  await using memory = sidecar.connect();
  const { revision } = await memory.write("a", 1);
  const done = await memory.commit(new Batch().write("b", { x: 1 }).forget("a", { ifRevision: revision }));
  assert.deepEqual(
    done.receipts.map(({ outcome }) => outcome),
    ["CREATED", "FORGOTTEN"],
  );
  const wrong = new Batch().write("c", 1).check("b", { ifAbsent: true });
  await assert.rejects(memory.commit(wrong), (error) => {
    assert.ok(error instanceof errors.SlotExists);
    assert.equal(error.metadata["op_index"], "1");
    return true;
  });
  await assert.rejects(memory.read("c"), errors.SlotNotFound);
});

void test("Append, patch, forget, versions and polls do what they say.", async () => {
  await using memory = sidecar.connect();
  await memory.namespaces.update({ versionsKept: 3 });
  const first = await memory.append("log", "one\n");
  assert.equal((await memory.append("log", "two\n")).outcome, "APPENDED");
  assert.equal((await memory.read("log")).text, "one\ntwo\n");
  assert.equal((await memory.readVersion("log", first.revision)).text, "one\n");
  assert.equal((await memory.versions("log")).length, 2);
  await memory.write("json", { a: 1, b: 2 });
  const patched = await memory.patch("json", { a: null, c: 3 });
  assert.deepEqual((await memory.read("json")).value, { b: 2, c: 3 });
  assert.equal(await memory.readIfChanged("json", patched.revision), undefined);
  assert.deepEqual((await memory.readIfChanged("json", patched.revision - 1n))?.json, { b: 2, c: 3 });
  assert.equal((await memory.forget("json")).outcome, "FORGOTTEN");
  assert.equal((await memory.forget("json")).outcome, "ABSENT");
});

void test("An iterator goes over all pages, each slot once, and stops at its limit.", async () => {
  await using memory = sidecar.connect();
  const names = Array.from({ length: 30 }, (_, at) => `slot-${String(at).padStart(2, "0")}`);
  await memory.commit(names.reduce((batch, name) => batch.write(name, name), new Batch()));
  await memory.write("other", "x");
  const seen: string[] = [];
  for await (const { name } of memory.lookup("slot-", { order: "NAME", pageSize: 7 })) seen.push(name);
  assert.deepEqual(seen, names);
  const few: string[] = [];
  for await (const { name } of memory.lookup("", { order: "NAME", pageSize: 2, limit: 3 })) few.push(name);
  assert.deepEqual(few, ["other", "slot-00", "slot-01"]);
  const page = await memory.lookupPage("slot-", { pageSize: 5, total: true, info: true });
  assert.deepEqual([page.entries.length, page.total, page.entries[0]?.info?.bodyBytes], [5, 30, 7]);
});

void test("Conditions choose slots for lookup and forgetMatching.", async () => {
  await using memory = sidecar.connect();
  await memory.write("a", "1", { tags: ["x"], attributes: { step: 1 }, origin: "USER" });
  await memory.write("b", "22", { tags: ["x", "y"], attributes: { step: 2n }, taskType: "chat" });
  await memory.write("c", "333", { attributes: { step: 3.5 }, importance: 1 });
  const found = async (condition: errors.Condition): Promise<string> => {
    const names: string[] = [];
    for await (const { name } of memory.lookup("", { where: condition, order: "NAME" })) names.push(name);
    return names.join("");
  };
  const step = where.attribute("step");
  assert.equal(await found(where.tags.any("x", "z")), "ab");
  assert.equal(await found(where.allOf(where.tags.all("x"), where.not(where.tags.all("y")))), "a");
  assert.equal(await found(where.anyOf(step.gt(3), step.eq(1n))), "ac");
  assert.equal(await found(where.allOf(step.ge(2), step.le(2), step.in(2, 7))), "b");
  assert.equal(await found(where.allOf(step.ne(2), step.lt(10), step.exists())), "ac");
  assert.equal(await found(where.attribute("none").missing()), "abc");
  assert.equal(await found(where.taskType.in("chat")), "b");
  assert.equal(await found(where.origin.in("USER")), "a");
  assert.equal(await found(where.importance.between(0.5, undefined)), "c");
  assert.equal(await found(where.bodyBytes.between(2, 2)), "b");
  assert.equal(await found(where.name.startsWith("c")), "c");
  assert.equal(await found(where.tags.none("x")), "c");
  assert.equal(await found(where.created.since(new Date(0))), "abc");
  assert.equal(await found(where.updated.before(new Date(0))), "");
  await assert.rejects(memory.forgetMatching({}), TypeError);
  await assert.rejects(memory.forgetMatching({ everything: true, maximum: 1 }), errors.TooManyMatches);
  assert.equal((await memory.forgetMatching({ where: where.tags.any("x") })).count, 2);
});

void test("Several slots are read and described in as many calls as their size takes.", async () => {
  await using memory = sidecar.connect();
  await memory.namespaces.update({ bodyLimitBytes: 3_900_000 });
  const large = "x".repeat(3_800_000);
  for (const name of ["a", "b"]) await memory.write(name, large);
  const slots = await memory.readMany(["a", "b", "none", "a"]);
  assert.deepEqual([...slots].map(([name, slot]) => [name, slot.body.length]).sort(), [
    ["a", large.length],
    ["b", large.length],
  ]);
  const infos = await memory.describeMany(["b", "none"]);
  assert.deepEqual([...infos.keys()], ["b"]);
});

void test("The largest body that a namespace may allow goes through, and comes back.", async () => {
  await using memory = sidecar.connect();
  await memory.namespaces.update({ bodyLimitBytes: 3_900_000 });
  const body = new Uint8Array(3_900_000).fill(7);
  await memory.write("large", body);
  assert.deepEqual(Buffer.compare((await memory.read("large")).body, body), 0);
});

void test("Search finds words, with hits that can be iterated over.", async () => {
  await using memory = sidecar.connect();
  await assert.rejects(memory.search("words"), errors.IndexNotEnabled);
  await memory.namespaces.update({ indexMode: "FULLTEXT" });
  await memory.write("tea", "She drinks green tea in the morning.");
  await memory.write("car", "The car is red.");
  const found = await memory.search("tea", { info: true });
  assert.deepEqual([found.names, found.mode, [...found][0]?.info?.name], [["tea"], "FULLTEXT", "tea"]);
  await assert.rejects(memory.search(""), TypeError);
});

void test("Namespaces are configured, listed and deleted.", async () => {
  await using memory = sidecar.connect();
  const at = memory.namespace(`${memory.namespacePath}/below`);
  const made = await at.namespaces.update({ slotLimit: 3, ttlMaxMs: 3_600_000, overflow: "EVICT_LOWEST_RANK" });
  assert.deepEqual(made.settings, { slotLimit: 3, ttlMaxMs: 3_600_000, overflow: "EVICT_LOWEST_RANK" });
  const inherited = await at.namespaces.update({ slotLimit: "inherit" });
  assert.deepEqual([inherited.settings.slotLimit, inherited.effectiveSettings.slotLimit], [undefined, 64]);
  await at.write("x", 1);
  const paths: string[] = [];
  for await (const { name } of at.namespaces.list(memory.namespacePath)) paths.push(name);
  assert.deepEqual(paths, [at.namespacePath]);
  await assert.rejects(at.namespaces.delete(), errors.NamespaceNotEmpty);
  assert.equal((await at.namespaces.delete(at.namespacePath, { force: true })).count, 1);
  await assert.rejects(at.namespaces.get(), errors.NamespaceNotFound);
});

void test("The server tells what it is and how it does.", async () => {
  await using memory = sidecar.connect();
  await memory.write("x", 1);
  const info = await memory.serverInfo();
  assert.match(info.version, /^\d+\./);
  assert.deepEqual([info.store, info.namespaceDefaults.slotLimit], ["sqlite", 64]);
  const stats = await memory.stats();
  assert.ok(stats.slots >= 1n && stats.calls.some(({ method }) => method === "SlotService/Write"));
});
