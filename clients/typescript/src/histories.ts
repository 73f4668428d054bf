/** What a history keeps of a model's message: all but the values that were stored, which would come back with every prompt. */

import type { Acted, Action, Message } from "./acting.js";
import { spellJson } from "./json.js";
import type { JsonValue } from "./json.js";

/** A text, or a provider's message or messages. */
type Said = string | Message | readonly Message[];

const STORING = new Set(["mem_write", "mem_append", "mem_patch"]);
/** Where providers keep the arguments of a call. */
const ARGUMENTS = new Set(["arguments", "input", "args"]);

/** Returns the messages without stored values, and the answers to them. `text` is what was acted on: of messages their JSON. */
export function kept(acted: Acted, said: Said, text: string): Message[] {
  const stored = acted.actions.filter(({ action, outcome }) => STORING.has(action) && outcome === "DONE");
  return [withoutValues(acted, stored, said, text), answers(acted)].flat();
}

/** The error for an output that is not the one that was acted on. It does not tell it. */
export function otherOutput(): TypeError {
  return new TypeError("said is not the output that was acted on");
}

function answers({ toolMessages, modelText }: Acted): readonly Message[] {
  if (toolMessages.length > 0) return toolMessages;
  return modelText === "" ? [] : [{ role: "user", content: modelText }];
}

function withoutValues(
  acted: Acted,
  stored: readonly Action[],
  said: Said,
  text: string,
): Message | readonly Message[] {
  if (typeof said === "string") return { role: "assistant", content: shortened(text, stored, short) };
  if (stored.length === 0) return said;
  const left = recordIn(shortened(text, stored, shortInJson));
  if (left === undefined) throw otherOutput();
  if (Array.isArray(left)) return left as Message[];
  const asText = typeof left["content"] === "string" && stored.some(({ callId }) => callId === "");
  return asText ? { ...left, content: acted.userText } : left;
}

function shortened(text: string, stored: readonly Action[], put: (action: Action, whole: string) => string): string {
  let left = text;
  for (const action of [...stored].sort((a, b) => b.span.start - a.span.start)) {
    const { start, end } = action.span;
    left = left.slice(0, start) + put(action, text.slice(start, end)) + left.slice(end);
  }
  return left;
}

function short({ action, arguments: given }: Action): string {
  return spellJson({ action, ...rest(given) });
}

/** In the JSON of a message an action is a call of its own, or stands in one of the message's texts. */
function shortInJson(action: Action, whole: string): string {
  const call = recordIn(whole);
  return call === undefined ? JSON.stringify(short(action)).slice(1, -1) : JSON.stringify(withArguments(call, action));
}

/** A call whose arguments are those that were understood: as the model wrote them they may be no JSON. */
function withArguments(call: Record<string, unknown>, action: Action): Record<string, unknown> {
  const given = spellJson(rest(action.arguments));
  const members = Object.entries(call).map(([key, value]) => {
    if (key === "function" && isRecord(value)) return [key, withArguments(value, action)] as const;
    if (!ARGUMENTS.has(key)) return [key, value] as const;
    return [key, typeof value === "string" ? given : (JSON.parse(given) as unknown)] as const;
  });
  return Object.fromEntries(members);
}

function rest(given: Readonly<Record<string, JsonValue | undefined>>): Record<string, JsonValue | undefined> {
  return Object.fromEntries(Object.entries(given).filter(([name]) => name !== "value"));
}

function recordIn(text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
