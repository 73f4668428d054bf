/** The verbs of `do`: the client's own methods. */

import { Batch, namespace, splitNamespace } from "@memslot/client";
import type { JsonValue, Memory, Message, Order, Receipt, Value, WriteOptions } from "@memslot/client";

import type { Json, JsonObject } from "./protocol.js";
import { TURN_VERBS } from "./turns.js";
import type { Verb } from "./turns.js";

/** What each verb does. Its result is JSON. */
export const VERBS: Readonly<Record<string, Verb>> = {
  write: async (memory, given) => {
    const { outcome, name, version, revision } = await written(memory, given);
    return { outcome, name, version: String(version), revision: String(revision) };
  },
  read: async (memory, given) => {
    const slot = await memory.read(text(given, "name"));
    return { ...shown(slot.value, slot.contentType), content_type: slot.contentType, revision: String(slot.revision) };
  },
  append: async (memory, given) => ({
    outcome: (await memory.append(text(given, "name"), text(given, "text"))).outcome,
  }),
  patch: async (memory, given) => ({
    outcome: (await memory.patch(text(given, "name"), given["patch"] as JsonValue)).outcome,
  }),
  forget: async (memory, given) => ({ outcome: (await memory.forget(text(given, "name"))).outcome }),
  update: async (memory, given) => {
    let stored: JsonValue[] = [];
    const change = async (items: readonly JsonValue[]): Promise<JsonValue[]> => {
      for (const other of (given["also"] ?? []) as JsonObject[]) await written(memory, other);
      return (stored = [...items, given["append"] as JsonValue]);
    };
    await memory.update<readonly JsonValue[]>(text(given, "name"), change, { initial: [], attempts: 200 });
    return { value: stored };
  },
  names: async (memory, given) => {
    const names: string[] = [];
    const order = (given["order"] ?? "RANK") as Order;
    const options = { pageSize: Number(given["page_size"] ?? 0), order };
    for await (const entry of memory.lookup(scalar(given["prefix"] ?? ""), options)) names.push(entry.name);
    return { names };
  },
  search: async (memory, given) => ({
    names: (await memory.search(text(given, "text"), { limit: Number(given["limit"] ?? 10) })).names,
  }),
  act: async (memory, given) => {
    const acted = await memory.act(given["output"], {
      lenient: given["lenient"] === true,
      turn: scalar(given["turn"] ?? ""),
    });
    const actions = acted.actions.map(({ action, outcome, name }) => ({ action, outcome, slot: name }));
    return { actions, model_text: acted.modelText, user_text: acted.userText };
  },
  history: async (memory, given) => {
    const acted = await memory.act(given["output"], { lenient: given["lenient"] === true });
    return { messages: acted.history((given["said"] ?? given["output"]) as string | Message) };
  },
  inject: async (memory, given) => ({
    text: (await memory.inject(texts(given["names"]), { turn: scalar(given["turn"] ?? "") })).text,
  }),
  scrub: async (memory, given) => ({ text: await memory.scrub(text(given, "text")) }),
  ...TURN_VERBS,
  task: async (memory, given) => {
    const attempt = given["attempt"] === undefined ? undefined : BigInt(scalar(given["attempt"]));
    let path = "";
    try {
      await memory.task(
        text(given, "task_id"),
        async (task) => {
          path = task.memory.namespacePath;
          for (const [name, body] of Object.entries(record(given["writes"])))
            await task.memory.write(name, scalar(body));
          task.promote(...texts(given["promote"]));
          if (given["fail"] === true) throw new Failed();
        },
        { attempt },
      );
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
    }
    return { namespace: path };
  },
  namespace: (_memory, given) => Promise.resolve({ namespace: namespace(...texts(given["parts"])) }),
  split: (_memory, given) => Promise.resolve({ parts: splitNamespace(text(given, "namespace")) }),
  commit: async (memory, given) => {
    const batch = new Batch();
    for (const [name, body] of Object.entries(record(given["writes"]))) batch.write(name, scalar(body));
    for (const name of texts(given["forgets"])) batch.forget(name);
    return { outcomes: (await memory.commit(batch)).receipts.map(({ outcome }) => outcome) };
  },
};

class Failed extends Error {}

function written(memory: Memory, given: JsonObject): Promise<Receipt> {
  return memory.write(text(given, "name"), value(given), writing(given));
}

function writing(given: JsonObject): WriteOptions {
  const { description, tags, task_type: taskType, ttl_ms: ttlMs, if_absent: ifAbsent, if_revision: ifRevision } = given;
  return {
    description: description as string | undefined,
    tags: tags as string[] | undefined,
    taskType: taskType as string | undefined,
    ttlMs: ttlMs === undefined ? undefined : Number(ttlMs),
    ifAbsent: ifAbsent as boolean | undefined,
    ifRevision: ifRevision === undefined ? undefined : BigInt(scalar(ifRevision)),
  };
}

function value({ kind, value: told }: JsonObject): Value {
  if (kind === "bytes") return Buffer.from(scalar(told), "base64");
  return kind === "text" ? scalar(told) : (told as JsonValue);
}

function shown(told: Value, contentType: string): { kind: string; value: unknown } {
  if (told instanceof Uint8Array) return { kind: "bytes", value: Buffer.from(told).toString("base64") };
  if (typeof told === "string" && contentType.startsWith("text/")) return { kind: "text", value: told };
  return { kind: "json", value: told };
}

function text(given: JsonObject, name: string): string {
  const told = given[name];
  if (typeof told !== "string") throw new TypeError(`${name} is a text`);
  return told;
}

function scalar(told: Json | undefined): string {
  if (typeof told !== "string" && typeof told !== "number") throw new TypeError("a text or a number is wanted here");
  return String(told);
}

function texts(told: Json | undefined): string[] {
  return (told ?? []) as string[];
}

function record(told: Json | undefined): JsonObject {
  return (told ?? {}) as JsonObject;
}
