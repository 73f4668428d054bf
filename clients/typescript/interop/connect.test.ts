/** Connect's own client speaks to the sidecar's HTTP port. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { AdminService, AgentService, NamespaceService, Outcome, SlotService } from "@memslot/client/v1";
import { errorDetails } from "@memslot/client/v1";

import { Sidecar } from "../tests/sidecar.js";

let sidecar: Sidecar;
let transport: ReturnType<typeof createConnectTransport>;
before(async () => {
  sidecar = await Sidecar.start("--http-listen", "127.0.0.1:0");
  const address = sidecar.listening.find((one) => one.startsWith("http://")) ?? "";
  transport = createConnectTransport({ baseUrl: address, httpVersion: "1.1", useBinaryFormat: false });
});
after(() => sidecar[Symbol.asyncDispose]());

const namespace = "interop/connect";

void test("Unary calls of every service work over JSON and HTTP/1.1: bodies, int64, enums, maps and times come back.", async () => {
  const slots = createClient(SlotService, transport);
  const body = Uint8Array.from({ length: 256 }, (_, at) => at);
  const big = 2n ** 63n - 1n;
  const attributes = { big: { kind: { case: "int64Value" as const, value: big } } };
  const { receipt } = await slots.write({ namespace, name: "名前 😀", body, contentType: "application/x", attributes });
  assert.equal(receipt?.outcome, Outcome.CREATED);
  const { slot, revision } = await slots.read({ namespace, name: "名前 😀" });
  assert.deepEqual(slot?.body, body);
  assert.deepEqual(slot.info?.attributes["big"]?.kind, { case: "int64Value", value: big });
  assert.ok(revision >= receipt.revision && (slot.info.createTime?.seconds ?? 0n) > 0n);
  const acted = await createClient(AgentService, transport).act({
    namespace,
    output: '{"action":"mem_write","slot":"n","value":1}',
  });
  assert.equal(acted.actions.length, 1);
  const told = await createClient(NamespaceService, transport).getNamespace({ namespace });
  assert.equal(told.namespace?.slotCount, 2n);
  assert.match((await createClient(AdminService, transport).getServerInfo({})).version, /^\d+\./);
});

void test("Errors have the code, and details that can be found by their type.", async () => {
  const slots = createClient(SlotService, transport);
  const missing: unknown = await slots.read({ namespace, name: "none" }).catch((error: unknown) => error);
  assert.ok(missing instanceof ConnectError);
  assert.equal(missing.code, Code.NotFound);
  const [info] = missing.findDetails(errorDetails.ErrorInfoSchema);
  assert.deepEqual([info?.reason, info?.domain, info?.metadata["name"]], ["SLOT_NOT_FOUND", "memslot", "none"]);
  const stale: unknown = await slots
    .forget({ namespace, name: "n", precondition: { condition: { case: "ifRevision", value: 99n } } })
    .catch((error: unknown) => error);
  assert.ok(stale instanceof ConnectError);
  assert.equal(stale.code, Code.Aborted);
  assert.equal(stale.findDetails(errorDetails.ErrorInfoSchema)[0]?.reason, "REVISION_MISMATCH");
  const wrong: unknown = await slots.read({ namespace, name: " x" }).catch((error: unknown) => error);
  assert.ok(wrong instanceof ConnectError);
  assert.equal(wrong.code, Code.InvalidArgument);
  assert.equal(wrong.findDetails(errorDetails.BadRequestSchema)[0]?.fieldViolations[0]?.field, "name");
});
