import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";

import { Unreachable, connect } from "@memslot/client";
import { AdminService } from "@memslot/client/v1";

import { Sidecar } from "./sidecar.js";

let sidecar: Sidecar;
before(async () => {
  sidecar = await Sidecar.start();
});
after(() => sidecar[Symbol.asyncDispose]());

/** How many listeners were added to a signal and not removed. */
function counted(signal: AbortSignal): () => number {
  let listeners = 0;
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
  signal.addEventListener = (...given: Parameters<typeof add>): void => {
    listeners++;
    add(...given);
  };
  signal.removeEventListener = (...given: Parameters<typeof remove>): void => {
    listeners--;
    remove(...given);
  };
  return () => listeners;
}

void test("However many calls wait for one signal, Node warns of no leak; when they are done nothing listens any more.", async () => {
  const warnings: Error[] = [];
  const warned = (warning: Error): void => void warnings.push(warning);
  process.on("warning", warned);
  await using memory = sidecar.connect();
  const { signal } = new AbortController();
  const listeners = counted(signal);
  const many = (): Promise<unknown> =>
    Promise.all(Array.from({ length: 30 }, (_, at) => memory.write(`slot-${String(at)}`, 1, { signal })));
  await many();
  await many();
  for await (const _ of memory.stream(AdminService.method.backup, {}, { signal })) break;
  await new Promise(setImmediate);
  process.off("warning", warned);
  assert.deepEqual([warnings, listeners()], [[], 0]);
});

void test("One signal gives up all the calls that wait for it, each with its reason.", async () => {
  const silent = createServer((socket) => socket.on("error", () => socket.destroy()));
  silent.listen(0, "127.0.0.1");
  await once(silent, "listening");
  const memory = connect({ target: `127.0.0.1:${String((silent.address() as AddressInfo).port)}` });
  const given = new AbortController();
  const calls = Array.from({ length: 20 }, () => memory.read("slot", { signal: given.signal }));
  setImmediate(() => {
    given.abort(new Error("not wanted"));
  });
  for (const end of await Promise.allSettled(calls)) {
    assert.ok(end.status === "rejected" && end.reason === given.signal.reason);
  }
  memory.close();
  silent.close();
});

void test("An update that is aborted between two attempts rejects with the signal's reason.", async (t) => {
  await using memory = sidecar.connect();
  const given = new AbortController();
  await memory.write("slot", 0);
  const losing = async (value: number): Promise<number> => {
    await memory.write("slot", value + 1);
    // Asked for when the pause between two attempts begins.
    t.mock.method(Math, "random", () => {
      setImmediate(() => {
        given.abort(new Error("no more"));
      });
      return 1;
    });
    return -1;
  };
  await assert.rejects(
    memory.update("slot", losing, { signal: given.signal }),
    (error) => error === given.signal.reason,
  );
});

void test("A token that does not come holds a call up no longer than its timeout or its signal, and nothing is sent.", async () => {
  const never = (): Promise<string> => new Promise(() => undefined);
  await using memory = sidecar.connect({ token: never });
  await assert.rejects(memory.write("slot", 1, { timeoutMs: 20 }), (error) => {
    assert.ok(error instanceof Unreachable);
    assert.match(error.message, /no token within the timeout: nothing was sent/);
    return true;
  });
  const given = new AbortController();
  const writing = memory.write("slot", 1, { timeoutMs: Infinity, signal: given.signal });
  given.abort(new Error("not wanted"));
  await assert.rejects(writing, (error) => error === given.signal.reason);
  const broken = (): Promise<string> => Promise.reject(new Error("no vault"));
  await using other = sidecar.connect({ token: broken });
  await assert.rejects(other.write("slot", 1), /^Error: no vault$/);
});
