/** What a server that is newer than the client may say. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { create, toBinary } from "@bufbuild/protobuf";
import type { Any } from "@bufbuild/protobuf/wkt";
import { AnySchema, anyPack } from "@bufbuild/protobuf/wkt";
import { Metadata, Server, ServerCredentials, status } from "@grpc/grpc-js";
import type { sendUnaryData } from "@grpc/grpc-js";
import * as errors from "@memslot/client";
import { connect } from "@memslot/client";
import * as v1 from "@memslot/client/v1";

type Answer = Parameters<sendUnaryData<Buffer>>[0] | Buffer;

/** A server that gives these answers to these methods, and a client of it. */
async function answering(answers: Readonly<Record<string, Answer>>): Promise<errors.Memory & AsyncDisposable> {
  const server = new Server();
  const same = (bytes: Buffer): Buffer => bytes;
  const codecs = {
    requestSerialize: same,
    requestDeserialize: same,
    responseSerialize: same,
    responseDeserialize: same,
  };
  for (const [name, told] of Object.entries(answers)) {
    const definition = { path: `/memslot.v1.${name}`, requestStream: false, responseStream: false, ...codecs };
    server.addService(
      { [name]: definition },
      {
        [name]: (_: unknown, answer: sendUnaryData<Buffer>): void => {
          if (Buffer.isBuffer(told)) answer(null, told);
          else answer(told);
        },
      },
    );
  }
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) => {
      if (error === null) resolve(bound);
      else reject(error);
    });
  });
  const memory = connect({ target: `127.0.0.1:${String(port)}` });
  return Object.assign(memory, {
    [Symbol.asyncDispose]: (): Promise<void> => {
      memory.close();
      server.forceShutdown();
      return Promise.resolve();
    },
  });
}

function failure(code: status, ...details: Any[]): Answer {
  const metadata = new Metadata();
  const told = create(v1.StatusSchema, { code, message: "told", details });
  metadata.set("grpc-status-details-bin", Buffer.from(toBinary(v1.StatusSchema, told)));
  return { code, details: "told", metadata };
}

function info(reason: string, metadata: Record<string, string> = {}, domain = "memslot"): Any {
  return anyPack(
    v1.errorDetails.ErrorInfoSchema,
    create(v1.errorDetails.ErrorInfoSchema, { reason, metadata, domain }),
  );
}

void test("A reason of another domain is none: beside the sidecar's it is passed over, alone it is gRPC's own failure.", async () => {
  const foreign = info("SLOT_NOT_FOUND", { limit: "1" }, "proxy.example");
  await using memory = await answering({
    "SlotService/Read": failure(status.DATA_LOSS, info("STORE_CORRUPT"), foreign),
    "SlotService/Write": failure(status.INTERNAL, foreign),
  });
  await assert.rejects(memory.read("n"), (error) => {
    assert.ok(error instanceof errors.StoreCorrupt);
    assert.deepEqual([error.reason, error.metadata], ["STORE_CORRUPT", {}]);
    return true;
  });
  await assert.rejects(memory.write("n", 1), errors.OutcomeUnknown);
});

void test("A reason that the client does not know is an error of its code's class, which tells the reason.", async () => {
  const unknown = failure(status.FAILED_PRECONDITION, info("MOON_IS_FULL", { phase: "full" }));
  await using memory = await answering({ "SlotService/Read": unknown, "SlotService/Write": unknown });
  for (const call of [() => memory.read("x"), () => memory.write("x", 1)]) {
    await assert.rejects(call, (error) => {
      assert.ok(error instanceof errors.FailedPrecondition);
      assert.deepEqual(
        [error.reason, error.metadata, error.name],
        ["MOON_IS_FULL", { phase: "full" }, "FailedPrecondition"],
      );
      return true;
    });
  }
});

void test("A detail that cannot be read takes nothing from the others, and a value that makes no sense is left out.", async () => {
  const broken = create(AnySchema, { typeUrl: "type.googleapis.com/google.rpc.BadRequest", value: Uint8Array.of(255) });
  const strange = create(AnySchema, { typeUrl: "type.googleapis.com/memslot.v9.Poem", value: Uint8Array.of(255) });
  const full = failure(status.RESOURCE_EXHAUSTED, broken, strange, info("SLOT_LIMIT_REACHED", { lowest_ranked: "[" }));
  await using memory = await answering({ "SlotService/Write": full });
  await assert.rejects(memory.write("x", 1), (error) => {
    assert.ok(error instanceof errors.SlotLimitReached);
    assert.deepEqual([error.lowestRanked, error.limit, error.details.length], [[], 0, 3]);
    return true;
  });
});

void test("Members of enumerations that the client does not know are UNSPECIFIED, a setting of such a one is left out.", async () => {
  const receipt = { name: "x", outcome: 99, warnings: [99] } as never;
  const written = toBinary(v1.WriteResponseSchema, create(v1.WriteResponseSchema, { receipt }));
  const settings = { overflow: 99, slotLimit: 7n } as never;
  const createTime = { seconds: 1n };
  const namespace = { name: "x", settings, effectiveSettings: settings, createTime };
  const got = toBinary(v1.GetNamespaceResponseSchema, create(v1.GetNamespaceResponseSchema, { namespace }));
  const answers = { "SlotService/Write": Buffer.from(written), "NamespaceService/GetNamespace": Buffer.from(got) };
  await using memory = await answering(answers);
  const { outcome, warnings } = await memory.write("x", 1);
  assert.deepEqual([outcome, warnings], ["UNSPECIFIED", ["UNSPECIFIED"]]);
  assert.deepEqual((await memory.namespaces.get()).settings, { slotLimit: 7 });
});
