/** A model's output: what is sent of it, and what came of it. */

import { MUTATION_KEYS } from "./binding.js";
import type { Binding, MutationOptions } from "./binding.js";
import * as decode from "./decode.js";
import { initOf, languageOf, member, strings } from "./encode.js";
import type { MemslotError } from "./errors.js";
import { kept, otherOutput } from "./histories.js";
import { parseJson } from "./json.js";
import type { JsonValue } from "./json.js";
import type { Keys } from "./options.js";
import { ask, mutate, newRequestId } from "./pending.js";
import type { Origin, Receipt, Slot } from "./results.js";
import { Shown, shown } from "./shown.js";
import { offsets } from "./spans.js";
import type { Span } from "./spans.js";
import { statusError } from "./status.js";
import { generalizedUtf8 } from "./utf8.js";
import * as pb from "./v1.js";

/** How an action of a model ended. */
export type ActionOutcome = keyof typeof pb.ActionOutcome;
/** Language of the texts that a model reads. */
export type Language = Exclude<keyof typeof pb.Language, "UNSPECIFIED">;

/** How an output is acted on. */
export interface ActOptions extends MutationOptions {
  /** Also take what has exactly one reading once it is mended. */
  readonly lenient?: boolean | undefined;
  /** Parse and check, and execute nothing. */
  readonly validateOnly?: boolean | undefined;
  /** SHOW_ONCE also puts what the model reads into `injection`; APPLICATION by default. */
  readonly onRead?: Exclude<keyof typeof pb.OnRead, "UNSPECIFIED"> | undefined;
  /** The turn that this belongs to, by default that of the client. */
  readonly turn?: string | undefined;
  /** Of the receipts; EN by default. */
  readonly language?: Language | undefined;
  /** Prefixes under which the host offers the actions, such as `mcp__memslot__`. */
  readonly ownPrefixes?: Iterable<string> | undefined;
  /** With SHOW_ONCE at most so many characters of bodies, 16,000 by default. */
  readonly maxInjectedChars?: number | undefined;
}

export const ACT_KEYS = {
  ...MUTATION_KEYS,
  lenient: true,
  validateOnly: true,
  onRead: true,
  turn: true,
  language: true,
  ownPrefixes: true,
  maxInjectedChars: true,
} satisfies Keys<ActOptions>;

/** The fields of {@link Action} that may be printed. */
export interface ActionFields {
  /** `mem_write`, `mem_append`, `mem_patch`, `mem_read`, `mem_forget`, `mem_lookup` or `mem_search`. */
  readonly action: string;
  /** Where it stands in the output, as offsets for `slice`. */
  readonly span: Span;
  readonly outcome: ActionOutcome;
  /** Its receipt for the model. */
  readonly line: string;
  /** What lenient reading mended. */
  readonly repaired: readonly string[];
  /** The call's id in the provider's message, or empty. */
  readonly callId: string;
  /** The shape that it was written in, e.g. `json`. */
  readonly shape: string;
  /** Of a write, append, patch or forget. */
  readonly receipt: Receipt | undefined;
  /** Of a read: the body is for the application. */
  readonly slot: Slot | undefined;
  /** Of a lookup or search. */
  readonly found: { readonly names: readonly string[]; readonly more: boolean } | undefined;
  /** Why it was not executed. */
  readonly error: MemslotError | undefined;
}

/** One memory action that was found in the output. */
export class Action extends shown<ActionFields>() {
  readonly #argumentsJson: string;

  constructor(fields: ActionFields, argumentsJson: string) {
    super(fields);
    this.#argumentsJson = argumentsJson;
  }

  /** The arguments as they were written; integers keep every digit, as bigint where a number cannot. */
  get arguments(): Readonly<Record<string, JsonValue | undefined>> {
    return parseJson(this.#argumentsJson) as Record<string, JsonValue>;
  }

  /** The slot that it is about, as the model wrote it; empty for a lookup or a search. */
  get name(): string {
    const { slot } = this.arguments;
    return typeof slot === "string" ? slot : "";
  }
}

/** What looked like an action and was not executed. */
export interface Reject {
  /** Why, e.g. `TRUNCATED`. */
  readonly reason: string;
  /** Where it stands in the output, as offsets for `slice`. */
  readonly span: Span;
  /** What to do about it, for a person. */
  readonly hint: string;
  readonly callId: string;
}

/** A slot that an injection shows, whole or by its summary. */
export interface InjectedSlot {
  readonly name: string;
  readonly revision: bigint;
  readonly summarised: boolean;
  readonly origin: Origin;
  /** It is marked as untrusted. */
  readonly untrusted: boolean;
  readonly injectionId: string;
  /** Length of what is shown of it, with its delimiters. */
  readonly characters: number;
}

/** A message of a history, in a provider's form. */
export type Message = Readonly<Record<string, unknown>>;

/** What came of an output. */
export class Acted extends Shown {
  readonly actions: readonly Action[];
  readonly rejects: readonly Reject[];
  /** A line for each action and reject, without any body: the only part that is meant for the history. */
  readonly modelText: string;
  /** The same in the provider's form, where the output was a provider's message: they answer every call. */
  readonly toolMessages: readonly Message[];
  /** What `injection` holds. */
  readonly injected: readonly InjectedSlot[];
  readonly revision: bigint;
  readonly #userText: string;
  readonly #injection: string;
  readonly #length: number;

  constructor(reply: pb.ActResponse, text: string) {
    super();
    this.#length = text.length;
    const { start, end } = offsets(text);
    const span = (from: pb.Span | undefined): Span => ({ start: start(from), end: end(from) });
    this.actions = reply.actions.map((one) => action(one, span(one.span)));
    this.rejects = reply.rejects.map(({ reason, span: at, hint, callId }) => ({
      reason,
      span: span(at),
      hint,
      callId,
    }));
    this.modelText = reply.modelText;
    this.toolMessages = messages(reply.toolMessages);
    this.injected = reply.injected.map(injectedSlot);
    this.revision = reply.revision;
    this.#userText = reply.userText;
    this.#injection = reply.injection;
  }

  /** The output without the actions. */
  get userText(): string {
    return this.#userText;
  }

  /** With SHOW_ONCE: what was read, for the tail of the next prompt and no other. */
  get injection(): string {
    return this.#injection;
  }

  /** What was read, by name. */
  get slots(): ReadonlyMap<string, Slot> {
    return new Map(this.actions.flatMap(({ slot }) => (slot === undefined ? [] : [[slot.name, slot]])));
  }

  /** Whether the output held nothing to execute and nothing that looked so. */
  get empty(): boolean {
    return this.actions.length === 0 && this.rejects.length === 0;
  }

  /**
   * Returns what belongs into the history: `said`, the output that was acted on, without the values that it stored, and its answers.
   *
   * A text becomes a message of the assistant, with what the model is told in one of the user behind it. A provider's message, or a list of them,
   * stays as it is but for the `value` of each action that was done; the answers are `toolMessages`. What was refused keeps its value, for the model to
   * mend. Throws TypeError for another output than the one that was acted on.
   */
  history(said: string | Message | readonly Message[]): Message[] {
    const text = typeof said === "string" ? said : messageText(said);
    if (text.length !== this.#length) throw otherOutput();
    return kept(this, said, text);
  }
}

export async function act(at: Binding, output: unknown, options: ActOptions): Promise<Acted> {
  const text = typeof output === "string" ? output : messageText(output);
  const whole = text.isWellFormed();
  const { lenient = false, validateOnly = false, ownPrefixes } = options;
  const request = initOf(pb.ActRequestSchema, {
    namespace: at.namespace,
    output: whole ? text : undefined,
    rawOutput: whole ? undefined : generalizedUtf8(text),
    mode: lenient ? pb.ActMode.LENIENT : pb.ActMode.STRICT,
    validateOnly,
    onRead: member(pb.OnRead, options.onRead ?? "APPLICATION", "onRead"),
    turn: options.turn,
    language: languageOf(options.language),
    ownPrefixes: ownPrefixes === undefined ? undefined : strings(ownPrefixes, "ownPrefixes"),
    maxInjectedChars: options.maxInjectedChars,
    requestId: validateOnly ? undefined : (options.requestId ?? newRequestId()),
  });
  const { method } = pb.AgentService;
  if (validateOnly) return new Acted(await ask(at, method.act, request, options), text);
  return mutate(at, method.act, request, (reply) => new Acted(reply, text), options);
}

/** Returns a slot that an injection shows. */
export function injectedSlot(message: pb.InjectedSlot): InjectedSlot {
  const { name, revision, summarised, untrusted, injectionId } = message;
  const origin = decode.nameIn(pb.Origin, message.origin);
  return { name, revision, summarised, origin, untrusted, injectionId, characters: Number(message.characters) };
}

function messageText(output: unknown): string {
  const text =
    typeof output === "object" && output !== null ? (JSON.stringify(output) as string | undefined) : undefined;
  if (text === undefined) throw new TypeError(`an output is a text or a provider's message, not ${typeof output}`);
  return text;
}

function action(message: pb.ActionResult, span: Span): Action {
  const { result } = message;
  const found = result.case === "found" ? { names: result.value.names, more: result.value.more } : undefined;
  return new Action(
    {
      action: message.action,
      span,
      outcome: decode.nameIn(pb.ActionOutcome, message.outcome),
      line: message.line,
      repaired: message.repaired,
      callId: message.callId,
      shape: message.shape,
      receipt: result.case === "receipt" ? decode.receipt(result.value) : undefined,
      slot: result.case === "slot" ? decode.slot(result.value) : undefined,
      found,
      error: message.error === undefined ? undefined : statusError(message.error),
    },
    message.argumentsJson,
  );
}

/** Messages of OpenAI's form as they are; content blocks of Anthropic's together in one message. */
function messages(answers: readonly pb.ToolMessage[]): Message[] {
  const told = answers.map(({ form, messageJson }) => ({ form, message: JSON.parse(messageJson) as Message }));
  const blocks = told.filter(({ form }) => form === pb.ToolForm.ANTHROPIC).map(({ message }) => message);
  const whole = told.filter(({ form }) => form !== pb.ToolForm.ANTHROPIC).map(({ message }) => message);
  return blocks.length === 0 ? whole : [...whole, { role: "user", content: blocks }];
}
