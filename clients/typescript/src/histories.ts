/** What a history keeps of a model's message: all but the values that were stored, which would come back with every prompt. */

import type { Acted, Action, Message } from "./acting.js";
import { parseJson, spellJson } from "./json.js";
import type { JsonValue } from "./json.js";

const STORING = new Set(["mem_write", "mem_append", "mem_patch"]);

/** Returns the message without stored values, and the answers to it. */
export function kept(acted: Acted, said: string | Message): Message[] {
  const stored = acted.actions.filter(({ action, outcome }) => STORING.has(action) && outcome === "DONE");
  return [withoutValues(acted, stored, said), ...answers(acted)];
}

function answers({ toolMessages, modelText }: Acted): readonly Message[] {
  if (toolMessages.length > 0) return toolMessages;
  return modelText === "" ? [] : [{ role: "user", content: modelText }];
}

function withoutValues(acted: Acted, stored: readonly Action[], said: string | Message): Message {
  if (typeof said === "string") return { role: "assistant", content: shortened(said, stored) };
  if (stored.length === 0) return said;
  const ids = new Set(stored.map(({ callId }) => callId).filter((id) => id !== ""));
  const message: Record<string, unknown> = { ...said };
  const { tool_calls: calls, content } = message;
  if (Array.isArray(calls)) message["tool_calls"] = calls.map((one: unknown) => openAiCall(one, ids));
  if (Array.isArray(content)) message["content"] = content.map((one: unknown) => anthropicBlock(one, ids));
  else if (typeof content === "string" && stored.some(({ callId }) => callId === ""))
    message["content"] = acted.userText;
  return message;
}

function shortened(text: string, stored: readonly Action[]): string {
  let left = text;
  for (const { action, span, arguments: given } of [...stored].sort((a, b) => b.span.start - a.span.start)) {
    left = left.slice(0, span.start) + spellJson({ action, ...rest(given) }) + left.slice(span.end);
  }
  return left;
}

function openAiCall(call: unknown, ids: ReadonlySet<string>): unknown {
  if (!isRecord(call) || !ids.has(String(call["id"])) || !isRecord(call["function"])) return call;
  const told = parseJson(String(call["function"]["arguments"])) as Record<string, JsonValue>;
  return { ...call, function: { ...call["function"], arguments: spellJson(rest(told)) } };
}

function anthropicBlock(block: unknown, ids: ReadonlySet<string>): unknown {
  if (!isRecord(block) || !ids.has(String(block["id"])) || !isRecord(block["input"])) return block;
  return { ...block, input: rest(block["input"]) };
}

function rest<T>(given: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(given).filter(([name]) => name !== "value"));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
