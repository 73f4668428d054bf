import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { Server, ServerCredentials, status } from "@grpc/grpc-js";
import type { ServerUnaryCall, sendUnaryData } from "@grpc/grpc-js";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import * as errors from "@memslot/client";
import { connect } from "@memslot/client";
import { Outcome, SlotService, WriteRequestSchema, WriteResponseSchema } from "@memslot/client/v1";

/** A server that refuses so many calls before it answers, and remembers what it was asked. */
async function refusing(refusals: number, code: status): Promise<{ server: Server; target: string; ids: string[] }> {
  const ids: string[] = [];
  const server = new Server({ "grpc.max_receive_message_length": 5_000_000 });
  const write = (call: ServerUnaryCall<Buffer, Buffer>, answer: sendUnaryData<Buffer>): void => {
    ids.push(fromBinary(WriteRequestSchema, call.request).requestId);
    if (ids.length <= refusals) answer({ code, details: "not now" });
    else answer(null, Buffer.from(toBinary(WriteResponseSchema, made)));
  };
  const made = create(WriteResponseSchema, { receipt: { name: "x", outcome: Outcome.CREATED } });
  const same = (bytes: Buffer): Buffer => bytes;
  const path = `/${SlotService.typeName}/Write`;
  const method = {
    path,
    requestStream: false,
    responseStream: false,
    requestSerialize: same,
    requestDeserialize: same,
  };
  server.addService({ write: { ...method, responseSerialize: same, responseDeserialize: same } }, { write });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) => {
      if (error === null) resolve(bound);
      else reject(error);
    });
  });
  return { server, target: `127.0.0.1:${String(port)}`, ids };
}

void test("A mutation is repeated while the server is UNAVAILABLE, with one request id, however large it is.", async () => {
  const { server, target, ids } = await refusing(2, status.UNAVAILABLE);
  await using memory = connect({ target });
  assert.equal((await memory.write("x", "x".repeat(3_900_000))).outcome, "CREATED");
  assert.equal(ids.length, 3);
  assert.equal(new Set(ids).size, 1);
  server.forceShutdown();
});

void test("When no answer settles it the outcome is unknown, and retry sends the very same request.", async () => {
  const { server, target, ids } = await refusing(5, status.UNAVAILABLE);
  await using memory = connect({ target });
  const unknown = await memory.write("x", "secret").catch((error: unknown) => error);
  assert.ok(unknown instanceof errors.OutcomeUnknown);
  assert.deepEqual([unknown.code, unknown.requestId, ids.length], ["UNAVAILABLE", ids[0], 5]);
  assert.ok(unknown.cause instanceof errors.Unavailable);
  assert.equal(((await memory.retry(unknown)) as errors.Receipt).outcome, "CREATED");
  assert.equal(new Set(ids).size, 1);
  server.forceShutdown();
});

void test("Another code is not retried, and has its own class.", async () => {
  const { server, target, ids } = await refusing(1, status.PERMISSION_DENIED);
  await using memory = connect({ target });
  await assert.rejects(memory.write("x", 1), errors.PermissionDenied);
  assert.equal(ids.length, 1);
  server.forceShutdown();
});

void test("A call by its method gets a request id where it changes something, and keeps one that it has.", async () => {
  const { server, target, ids } = await refusing(1, status.UNAVAILABLE);
  await using memory = connect({ target });
  const request = { namespace: "a", name: "x" };
  await memory.call(SlotService.method.write, request);
  await memory.call(SlotService.method.write, { ...request, requestId: "mine" });
  assert.match(ids[0] ?? "", /^[0-9a-f-]{36}$/);
  assert.deepEqual(ids.slice(1), [ids[0], "mine"]);
  assert.deepEqual(request, { namespace: "a", name: "x" });
  server.forceShutdown();
});

void test("Retries are configured as in all clients.", async () => {
  const { SERVICE_CONFIG } = (await import(new URL("../../dist/service-config.js", import.meta.url).href)) as {
    SERVICE_CONFIG: unknown;
  };
  for (const file of ["../../service_config.json", "../../../service_config.json"]) {
    assert.deepEqual(SERVICE_CONFIG, JSON.parse(readFileSync(new URL(file, import.meta.url), "utf8")));
  }
});
