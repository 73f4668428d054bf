/** The program that the conformance scenarios speak to: a JSON object a line in, one a line out, each when it is done. */

import { createInterface } from "node:readline";

import { connect, parseJson, spellJson } from "@memslot/client";
import type { JsonValue, Memory } from "@memslot/client";

import { told } from "./failures.js";
import { measured } from "./measuring.js";
import { jsonOf, requestOf, unaryMethod } from "./methods.js";
import { needed } from "./protocol.js";
import type { Asked } from "./protocol.js";
import { VERBS } from "./verbs.js";

const clients = new Map<string, Memory>();

async function performed(asked: Asked): Promise<object> {
  switch (asked.op) {
    case "open":
      open(asked);
      return { ok: true };
    case "call":
      return { reply: await called(asked) };
    case "do":
      return { result: await verbOf(asked)(client(asked), asked.arguments ?? {}) };
    case "measure":
      return { result: await measure(asked) };
    case "close":
      client(asked).close();
      if (asked.keep !== true) clients.delete(needed(asked.client, "client"));
      return { ok: true };
    default:
      throw new TypeError(`there is no operation ${asked.op}`);
  }
}

function open(asked: Asked): void {
  const { target, namespace, agent, conversation, token, timeout_ms: timeoutMs, ca_file: caFile } = asked;
  const tls = caFile === undefined ? undefined : { caFile };
  clients.set(
    needed(asked.client, "client"),
    connect({ target, namespace, agent, conversation, token, timeoutMs, tls }),
  );
}

async function called(asked: Asked): Promise<unknown> {
  const method = unaryMethod(needed(asked.method, "method"));
  const options = { timeoutMs: asked.timeout_ms };
  const reply = await client(asked).call(method, requestOf(method, asked.request ?? {}), options);
  return jsonOf(method.output, reply);
}

async function measure(asked: Asked): Promise<object> {
  const method = unaryMethod(needed(asked.method, "method"));
  const request = requestOf(method, asked.request ?? {});
  const memory = client(asked);
  return measured(() => memory.call(method, request), asked.calls ?? 1000, asked.concurrency ?? 1);
}

function client(asked: Asked): Memory {
  return needed(clients.get(needed(asked.client, "client")), "an open client");
}

function verbOf({ verb = "" }: Asked) {
  return needed(VERBS[verb], `a verb that is known, not ${verb}`);
}

async function answer(line: string): Promise<void> {
  const asked = JSON.parse(line) as Asked;
  // A value's integers may be longer than a number holds.
  const exact = parseJson(line) as unknown as Pick<Asked, "arguments">;
  const result = await performed({ ...asked, ...(exact.arguments && { arguments: exact.arguments }) }).catch(
    (error: unknown) => ({ error: told(error) }),
  );
  process.stdout.write(`${spellJson({ id: asked.id, ...result } as unknown as JsonValue)}\n`);
}

const answers = new Set<Promise<void>>();
for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  if (line.trim() === "") continue;
  const answered: Promise<void> = answer(line).finally(() => answers.delete(answered));
  answers.add(answered);
}
await Promise.all(answers);
for (const memory of clients.values()) memory.close();
