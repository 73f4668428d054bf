import assert from "node:assert/strict";
import { execFile as execFileWithCallback, execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect as connectTo, createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { createServer as createTlsServer } from "node:tls";
import { fileURLToPath } from "node:url";
import { inspect, promisify } from "node:util";

import * as errors from "@memslot/client";
import { connect } from "@memslot/client";

import { Sidecar } from "./sidecar.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const execFile = promisify(execFileWithCallback);

let sidecar: Sidecar;
before(async () => {
  sidecar = await Sidecar.start();
});
after(() => sidecar[Symbol.asyncDispose]());

async function listening(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

void test("A Unix socket and a TCP port lead to the same slots, within whatever namespace.", async () => {
  await using tcp = sidecar.connect({ namespace: "acme/a" });
  await using unix = connect({ target: sidecar.socket, namespace: "acme/b" });
  await tcp.write("slot", "text");
  assert.equal((await unix.namespace("acme/a").read("slot")).text, "text");
  await assert.rejects(unix.read("slot"), errors.SlotNotFound);
});

void test("The environment says where the sidecar is and which namespace is meant, unless the program does.", async () => {
  process.env["MEMSLOT_TARGET"] = sidecar.target;
  process.env["MEMSLOT_NAMESPACE"] = "acme/env";
  try {
    await using memory = connect();
    assert.equal(memory.namespacePath, "acme/env");
    assert.equal((await memory.write("x", 1)).outcome, "CREATED");
    await using other = connect({ namespace: "acme/said" });
    assert.equal(other.namespacePath, "acme/said");
  } finally {
    delete process.env["MEMSLOT_TARGET"];
    delete process.env["MEMSLOT_NAMESPACE"];
  }
});

void test("Where nobody listens a call fails at once, as Unreachable: nothing was sent.", async () => {
  const server = createServer();
  const port = await listening(server);
  server.close();
  await using memory = connect({ target: `127.0.0.1:${String(port)}` });
  await assert.rejects(memory.write("secret-name", "secret"), (error) => {
    assert.ok(error instanceof errors.Unreachable && error instanceof errors.Unavailable);
    assert.match(error.message, /memslot serve/);
    return true;
  });
});

void test("A host name that cannot be resolved is told as unknown, also where a call waits for the sidecar.", async () => {
  for (const waitForReady of [false, true]) {
    await using memory = connect({ target: "no-such-host.invalid:7420", waitForReady, timeoutMs: 2000 });
    await assert.rejects(memory.read("x"), (error) => {
      assert.ok(error instanceof errors.Unreachable);
      assert.match(error.message, /the host name no-such-host\.invalid is unknown, E[A-Z_]+\)/);
      return true;
    });
  }
});

void test("With waitForReady a call waits for a sidecar that is still starting, within its timeout.", async () => {
  await using memory = connect({ target: "127.0.0.1:9", waitForReady: true, timeoutMs: 300 });
  await assert.rejects(memory.read("x"), /timed out/);
});

void test("A program waits for its first call without a bound, and ends by itself with its client left open.", async () => {
  const program = `
    import { connect } from "@memslot/client";
    const memory = connect({ target: "${sidecar.socket}", namespace: "test/left-open", timeoutMs: Infinity });
    console.log((await memory.write("x", 1)).outcome);`;
  const left = execFile("node", ["--input-type=module", "--eval", program], { cwd: ROOT, timeout: 60_000 });
  assert.equal((await left).stdout, "CREATED\n");
});

void test("Targets, timeouts and sockets that cannot work are refused before anything is sent.", () => {
  assert.throws(() => connect({ target: "http://localhost:7420" }), TypeError);
  assert.throws(() => connect({ target: `unix:/${"x".repeat(107)}` }), /108 bytes/);
  for (const timeoutMs of [0, -1, NaN]) assert.throws(() => connect({ timeoutMs }), RangeError);
});

void test("A token goes over plaintext only where it stays on this machine.", () => {
  const token = "secret-token";
  for (const target of [
    "10.0.0.1:7420",
    "sidecar:7420",
    "dns:///example:1",
    "[2001:db8::1]:7420",
    "127.evil.example:1",
    "ipv6:::1:7420",
  ]) {
    assert.throws(
      () => connect({ target, token }),
      (error: Error) => {
        assert.match(error.message, /without TLS/);
        assert.ok(!error.message.includes(token));
        return true;
      },
    );
  }
  for (const target of [
    "127.0.0.1:1",
    "[::1]:1",
    "ipv6:::1",
    "localhost:1",
    "unix:/tmp/x",
    "dns:///localhost:1",
    "127.1.2.3:1",
  ]) {
    connect({ target, token }).close();
  }
  connect({ target: "10.0.0.1:7420", token, tls: {} }).close();
});

void test("A token that no header can hold is refused without being told, the line end of a file too.", async () => {
  for (const token of ["secret\nword", "secret\n", " secret", "s\u00e9cret", "", " ", "secret\u0000"]) {
    const refused = (error: unknown): true => {
      assert.ok(error instanceof TypeError && !/cret|word/.test(inspect(error).split("\n")[0] ?? ""));
      return true;
    };
    assert.throws(() => connect({ target: sidecar.target, token }), refused);
    await using memory = sidecar.connect({ token: () => token });
    await assert.rejects(memory.read("x"), refused);
  }
});

void test("A timeout that is longer than any timer waits without bound; one that is no number is refused.", async () => {
  for (const timeoutMs of [2 ** 31, Number.MAX_SAFE_INTEGER]) {
    await using memory = sidecar.connect({ timeoutMs });
    assert.equal((await memory.write("x", 1)).outcome, "CREATED");
  }
  assert.throws(() => connect({ timeoutMs: "500" as never }), RangeError);
  for (const messageLimitBytes of [0, -1, 1.5, NaN]) assert.throws(() => connect({ messageLimitBytes }), RangeError);
});

void test("An aborted signal gives a read up with its reason, and a write that was sent as OutcomeUnknown, to be settled.", async () => {
  // A way to the sidecar that can be held up, so that the request is sent and not answered.
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    const way = connectTo(Number(sidecar.target.split(":")[1]), "127.0.0.1");
    socket.pipe(way).pipe(socket);
    for (const one of [socket, way]) one.on("error", () => one.destroy());
    sockets.push(socket, way);
  });
  const port = await listening(server);
  await using memory = connect({ target: `127.0.0.1:${String(port)}`, namespace: "test/abort" });
  await memory.write("slot", "first");
  const aborted = AbortSignal.abort(new Error("not wanted"));
  await assert.rejects(memory.read("slot", { signal: aborted }), /not wanted/);
  await assert.rejects(memory.write("slot", "never", { signal: aborted }), /not wanted/);
  for (const socket of sockets) socket.pause();
  // However soon after the call it is aborted.
  for (let soon = 0; soon < 12; soon++) {
    const given = new AbortController();
    const call = memory.read("slot", { signal: given.signal });
    for (let turn = 0; turn < soon; turn++) await Promise.resolve();
    given.abort(new Error("no more"));
    await assert.rejects(call, /^Error: no more$/);
  }
  const [reading, writing] = [new AbortController(), new AbortController()];
  const read = memory.read("slot", { signal: reading.signal });
  const write = memory.write("slot", "second", { signal: writing.signal });
  setImmediate(() => {
    reading.abort(new Error("too slow"));
    writing.abort(new Error("too slow"));
  });
  await assert.rejects(read, /^Error: too slow$/);
  const unknown = await write.catch((error: unknown) => error);
  assert.ok(unknown instanceof errors.OutcomeUnknown);
  assert.equal(unknown.code, "CANCELLED");
  for (const socket of sockets) socket.resume();
  const receipt = (await memory.retry(unknown)) as errors.Receipt;
  assert.equal(receipt.outcome, "OVERWRITTEN");
  assert.equal((await memory.read("slot")).text, "second");
  assert.equal((await memory.describe("slot")).version, 2n);
  await assert.rejects(memory.retry(new Error("of another kind")), TypeError);
  memory.close();
  server.close();
});

void test("Over TLS the sidecar's certificate is checked, and the token is sent.", async () => {
  const folder = mkdtempSync(join(tmpdir(), "memslot-tls-"));
  const [keyFile, caFile] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const subject = ["-subj", "/CN=sidecar.test", "-addext", "subjectAltName=DNS:sidecar.test"];
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  execFileSync("openssl", ["req", "-x509", ...kind, ...subject, "-keyout", keyFile, "-out", caFile], {
    stdio: "ignore",
  });
  const options = { key: readFileSync(keyFile), cert: readFileSync(caFile), ALPNProtocols: ["h2"] };
  const server = createTlsServer(options, (socket) => {
    const way = connectTo(Number(sidecar.target.split(":")[1]), "127.0.0.1");
    socket.pipe(way).pipe(socket);
    for (const one of [socket, way]) one.on("error", () => one.destroy());
  });
  const target = `127.0.0.1:${String(await listening(server))}`;
  {
    const tokens = ["first", "second"];
    const token = (): string => tokens.shift() ?? "later";
    await using memory = connect({ target, token, tls: { caFile, serverName: "sidecar.test" } });
    assert.equal((await memory.write("x", 1)).outcome, "CREATED");
    assert.deepEqual(tokens, ["second"]);
    await using stranger = connect({ target, tls: { serverName: "sidecar.test" } });
    await assert.rejects(stranger.read("x"), errors.Unreachable);
    await using misnamed = connect({ target, tls: { caFile, serverName: "other.test" } });
    await assert.rejects(misnamed.read("x"), errors.Unreachable);
  }
  server.close();
  rmSync(folder, { recursive: true });
});

void test("Requests and replies have the same bound; a body above it is refused before it is sent.", async () => {
  await using memory = sidecar.connect({ messageLimitBytes: 100_000 });
  await assert.rejects(
    memory.write("x", "secret".repeat(20_000)),
    (error) =>
      error instanceof errors.ResourceExhausted && error.message.includes("100000 bytes: split it, a body has"),
  );
});
