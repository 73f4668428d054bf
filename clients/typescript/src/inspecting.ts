/** Looking for stored bodies in a prompt. Never a body: names, places and sizes. */

import type { Message } from "./acting.js";
import { CALL_KEYS } from "./binding.js";
import type { Binding, CallOptions } from "./binding.js";
import { initOf } from "./encode.js";
import type { Keys } from "./options.js";
import { ask } from "./pending.js";
import { sentPrompt } from "./sent.js";
import { shown } from "./shown.js";
import { offsets } from "./spans.js";
import type { Span } from "./spans.js";
import * as pb from "./v1.js";

/** How a prompt is inspected. */
export interface InspectPromptOptions extends CallOptions {
  /** The turn whose injections are allowed, by default that of the client. */
  readonly turn?: string | undefined;
  /** What counts tokens; by default the server's setting. */
  readonly tokenCounter?: string | undefined;
}

export const INSPECT_KEYS = { ...CALL_KEYS, turn: true, tokenCounter: true } satisfies Keys<InspectPromptOptions>;

/** A stored body, or a part of one, in a prompt. */
export interface PromptFinding {
  readonly name: string;
  readonly revision: bigint;
  /** 0 for a prompt that is one text. */
  readonly messageIndex: number;
  /**
   * Which text of the message, e.g. `content[1].text`. Empty for a prompt that is one text, and for a body that several texts of a message
   * make up together, whose span is one of `JSON.stringify(message)`.
   */
  readonly field: string;
  /** Where it stands in that text, as offsets for `slice`. */
  readonly span: Span;
  readonly characters: number;
  readonly tokens: number;
  /** Whether all of the body stands there. */
  readonly whole: boolean;
  /** The injection of the turn that allows it. */
  readonly injectionId: string | undefined;
}

/** The fields of {@link Inspection}. */
export interface InspectionFields {
  /** In the order of the prompt, those included that an injection of the turn allows. */
  readonly findings: readonly PromptFinding[];
  /** How many characters were looked through. */
  readonly characters: number;
  /** How many of them stand in findings that nothing allows. */
  readonly leakedCharacters: number;
  /** How many slots were compared. */
  readonly slots: number;
  /** What was not compared, in words; empty when all was. */
  readonly incomplete: string;
  /** What counted tokens. */
  readonly tokenCounter: string;
  readonly revision: bigint;
}

/** What of the namespace's bodies stands in a prompt. */
export class Inspection extends shown<InspectionFields>() {
  /** The findings that no injection allows; none when nothing is leaked. */
  get leaked(): readonly PromptFinding[] {
    return this.findings.filter(({ injectionId }) => injectionId === undefined);
  }
}

export async function inspectPrompt(
  at: Binding,
  prompt: string | Message | readonly object[],
  options: InspectPromptOptions,
): Promise<Inspection> {
  const { turn, tokenCounter } = options;
  const sent = sentPrompt(prompt);
  const request = initOf(pb.InspectPromptRequestSchema, { namespace: at.namespace, ...sent, turn, tokenCounter });
  const reply = await ask(at, pb.AgentService.method.inspectPrompt, request, options);
  const messages = "prompt" in sent ? [sent.prompt] : (JSON.parse(sent.messagesJson) as unknown[]);
  return new Inspection({
    findings: reply.findings.map((found) => finding(found, messages[found.messageIndex])),
    characters: Number(reply.characters),
    leakedCharacters: Number(reply.leakedCharacters),
    slots: Number(reply.slots),
    incomplete: reply.incomplete,
    tokenCounter: reply.tokenCounter,
    revision: reply.revision,
  });
}

function finding(message: pb.PromptFinding, within: unknown): PromptFinding {
  const { name, revision, messageIndex, field, whole, injectionId } = message;
  const { start, end } = offsets(textAt(within, field));
  return {
    name,
    revision,
    messageIndex,
    field,
    span: { start: start(message.span), end: end(message.span) },
    characters: Number(message.characters),
    tokens: Number(message.tokens),
    whole,
    injectionId: injectionId === "" ? undefined : injectionId,
  };
}

/** The text that a field names in a message: keys by name or, as `{2}`, by place, items as `[1]`. Without a field the whole message. */
function textAt(message: unknown, field: string): string {
  let value = message;
  for (const [, key, place, item] of field.matchAll(/([A-Za-z_]+)|\{(\d+)\}|\[(\d+)\]/g)) {
    if (typeof value !== "object" || value === null) return "";
    value = key === undefined ? Object.values(value)[Number(place ?? item)] : (value as Record<string, unknown>)[key];
  }
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
