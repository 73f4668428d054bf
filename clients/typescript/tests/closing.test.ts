import assert from "node:assert/strict";
import { once } from "node:events";
import { connect as connectTo, createServer } from "node:net";
import type { AddressInfo, Server } from "node:net";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";

import * as errors from "@memslot/client";
import { connect } from "@memslot/client";
import type { Memory } from "@memslot/client";
import { AdminService, SlotService } from "@memslot/client/v1";

import { Sidecar } from "./sidecar.js";

let sidecar: Sidecar;
before(async () => {
  sidecar = await Sidecar.start();
});
after(() => sidecar[Symbol.asyncDispose]());

/** A way to the sidecar on which replies can be lost. */
class Way {
  losing = false;
  readonly #server: Server = createServer((socket) => {
    const way = connectTo(Number(sidecar.target.split(":")[1]), "127.0.0.1");
    socket.pipe(way);
    way.on("data", (bytes) => {
      if (!this.losing) socket.write(bytes);
    });
    for (const one of [socket, way]) one.on("error", () => one.destroy());
    socket.on("close", () => way.destroy());
  });

  async target(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return `127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
  }

  close(): void {
    this.#server.close();
  }
}

function isClosed(told: RegExp): (error: unknown) => true {
  return (error) => {
    assert.ok(error instanceof errors.ClientClosed && error instanceof errors.MemslotError);
    assert.deepEqual([error.reason, error.code, error.name], ["CLIENT_CLOSED", "CANCELLED", "ClientClosed"]);
    assert.match(error.message, told);
    assert.match(error.message, /open a new one/);
    return true;
  };
}

void test("Closing twice is once, for each client of the connection; afterwards every call is refused, and nothing is sent.", async () => {
  const [reached, never] = [connect({ target: sidecar.target }), connect({ target: "127.0.0.1:1" })];
  await reached.write("n", "before");
  for (const memory of [reached, never]) {
    const pages = memory.lookup();
    memory.namespace("other").close();
    memory.close();
    await memory[Symbol.asyncDispose]();
    const calls = [
      () => memory.write("n", "after"),
      () => memory.read("n"),
      () => memory.namespace("other").read("n"),
      () => memory.namespaces.get(),
      () => memory.update<string>("n", (text) => text),
      () => memory.beginTask("t"),
      () => memory.call(SlotService.method.read, { namespace: "n", name: "n" }),
      () => memory.stream(AdminService.method.backup, {}).next(),
      () => pages.next(),
    ];
    for (const call of calls) await assert.rejects(call(), isClosed(/is closed/));
  }
  await using again = connect({ target: sidecar.target });
  assert.equal((await again.read("n")).text, "before");
});

void test("Calls under way end when the client is closed: a read as closed, a write with an outcome that another client settles.", async () => {
  const way = new Way();
  const options = { namespace: "test/closing", timeoutMs: 60_000 };
  const [far, near] = [connect({ ...options, target: await way.target() }), sidecar.connect(options)];
  await near.write("warm", "up");
  await far.describe("warm");
  const before = await reads(near);
  way.losing = true;
  const ends = Promise.allSettled([far.read("warm"), far.append("log", "one line")]);
  while ((await near.describeMany(["log"])).size === 0 || (await reads(near)) === before) await pause(10);
  far.close();
  const [read, written] = await ends;
  assert.ok(read.status === "rejected" && written.status === "rejected");
  assert.ok(isClosed(/while the call was under way/)(read.reason));
  const unknown: unknown = written.reason;
  assert.ok(unknown instanceof errors.OutcomeUnknown && unknown.cause instanceof errors.ClientClosed);
  await assert.rejects(far.retry(unknown), isClosed(/is closed/));
  assert.equal(((await near.retry(unknown)) as errors.Receipt).outcome, "CREATED");
  assert.equal((await near.read("log")).text, "one line");
  near.close();
  way.close();
});

void test("Whoever waits for a sidecar that is not there is told when the client is closed: nothing was sent.", async () => {
  const silent = createServer((socket) => socket.on("error", () => socket.destroy()));
  silent.listen(0, "127.0.0.1");
  await once(silent, "listening");
  for (const port of [1, (silent.address() as AddressInfo).port]) {
    const target = `127.0.0.1:${String(port)}`;
    const memory = connect({ target, waitForReady: true, timeoutMs: Infinity });
    const ends = Promise.allSettled([memory.read("n"), memory.write("n", 1)]);
    setImmediate(() => {
      memory.close();
    });
    for (const end of await ends) assert.ok(end.status === "rejected" && isClosed(/is closed/)(end.reason));
  }
  silent.close();
});

async function reads(memory: Memory): Promise<number> {
  const { calls } = await memory.call(AdminService.method.stats, {});
  return calls.filter(({ method }) => method.endsWith("/Read")).reduce((sum, { count }) => sum + Number(count), 0);
}
