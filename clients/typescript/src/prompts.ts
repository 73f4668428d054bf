/** What a model is shown: the prompt card, the tools, bodies for one prompt; and what is taken out of a history again. */

import { injectedSlot } from "./acting.js";
import type { InjectedSlot, Language, Message } from "./acting.js";
import { CALL_KEYS } from "./binding.js";
import type { Binding, CallOptions } from "./binding.js";
import { initOf, languageOf, member, strings } from "./encode.js";
import type { MemslotError } from "./errors.js";
import { known } from "./options.js";
import type { Keys } from "./options.js";
import { ask } from "./pending.js";
import { Shown, shown } from "./shown.js";
import { statusError } from "./status.js";
import * as pb from "./v1.js";

const { method } = pb.AgentService;

/** Whose form a schema has. */
export type ToolForm = Exclude<keyof typeof pb.ToolForm, "UNSPECIFIED">;

/** How a prompt card is made. */
export interface PromptCardOptions extends CallOptions {
  /** EN by default. */
  readonly language?: Language | undefined;
  /** At most so many characters: 4,000 by default, at least 700. */
  readonly maxChars?: number | undefined;
  /** At most so many tokens; no bound by default. */
  readonly maxTokens?: number | undefined;
  /** What counts tokens; by default the server's setting. */
  readonly tokenCounter?: string | undefined;
  /** Leave out how to write an action as text, for a model that is given the schemas. */
  readonly withSchemas?: boolean | undefined;
  /** Make the card anew from what is stored now. */
  readonly renew?: boolean | undefined;
}

export const CARD_KEYS = {
  ...CALL_KEYS,
  language: true,
  maxChars: true,
  maxTokens: true,
  tokenCounter: true,
  withSchemas: true,
  renew: true,
} satisfies Keys<PromptCardOptions>;

/** How bodies are shown. */
export interface InjectOptions extends CallOptions {
  /** At most so many characters; 16,000 by default. */
  readonly maxChars?: number | undefined;
  /** At most so many tokens; no bound by default. */
  readonly maxTokens?: number | undefined;
  /** What counts tokens; by default the server's setting. */
  readonly tokenCounter?: string | undefined;
  /** The turn that this is for, by default that of the client. */
  readonly turn?: string | undefined;
  /** EN by default. */
  readonly language?: Language | undefined;
  /** Leave out what a model or a tool wrote, or nobody says who, rather than mark it. */
  readonly refuseUntrusted?: boolean | undefined;
  /** Whether a body that does not fit is shown by its summary; true by default. */
  readonly summaries?: boolean | undefined;
}

export const INJECT_KEYS = {
  ...CALL_KEYS,
  maxChars: true,
  maxTokens: true,
  tokenCounter: true,
  turn: true,
  language: true,
  refuseUntrusted: true,
  summaries: true,
} satisfies Keys<InjectOptions>;

/** How bodies are shown while a function runs. */
export interface InjectedOptions extends InjectOptions {
  /** The role of the message that shows them; `user` by default. */
  readonly role?: string | undefined;
}

export const INJECTED_KEYS = { ...INJECT_KEYS, role: true } satisfies Keys<InjectedOptions>;

/** Which tools are wanted. */
export interface ToolSchemasOptions extends CallOptions {
  /** EN by default. */
  readonly language?: Language | undefined;
  /** Only these actions; all seven by default. */
  readonly actions?: Iterable<string> | undefined;
}

export const TOOL_SCHEMAS_KEYS = { ...CALL_KEYS, language: true, actions: true } satisfies Keys<ToolSchemasOptions>;

/** The fields of {@link PromptCard}. */
export interface PromptCardFields {
  /** For the system prompt; the same, byte for byte, until it is renewed. */
  readonly text: string;
  /** What changed since, for the tail of the prompt; empty when nothing did. */
  readonly tail: string;
  /** How many names the card lists. */
  readonly listed: number;
  /** How many slots there are now. */
  readonly slots: number;
  readonly cardRevision: bigint;
  /** Whether this call made it. */
  readonly renewed: boolean;
  readonly tokens: number;
  /** What counted them. */
  readonly tokenCounter: string;
  readonly revision: bigint;
}

const ROLE_KEYS = { role: true, tailRole: true } as const;

/** What a model is told of its memory. */
export class PromptCard extends shown<PromptCardFields>() {
  /**
   * Returns a prompt: the card, then the messages of `history` and, if anything changed, the tail, before the last message where that is the
   * user's, so that a model reads last what it was asked.
   */
  around(history: readonly Message[], roles: { role?: string; tailRole?: string } = {}): Message[] {
    const { role = "system", tailRole = "user" } = known(roles, ROLE_KEYS);
    const asked = history.at(-1)?.["role"] === "user" ? history.length - 1 : history.length;
    const tail = this.tail === "" ? [] : [{ role: tailRole, content: this.tail }];
    return [{ role, content: this.text }, ...history.slice(0, asked), ...tail, ...history.slice(asked)];
  }

  override toString(): string {
    return this.text;
  }
}

/** A slot that was asked for and is not shown: SlotNotFound, InjectionBudget, UntrustedOrigin or NotText says why. */
export interface LeftOut {
  readonly name: string;
  readonly error: MemslotError;
}

/** Bodies as text for the tail of one prompt. */
export class Injection extends Shown {
  /** What it holds, in its order. */
  readonly injected: readonly InjectedSlot[];
  /** What it does not hold, and why. */
  readonly leftOut: readonly LeftOut[];
  /** Length of the text in characters. */
  readonly characters: number;
  readonly tokens: number;
  /** What counted them. */
  readonly tokenCounter: string;
  readonly revision: bigint;
  readonly #text: string;

  constructor(reply: pb.InjectResponse) {
    super();
    this.injected = reply.injected.map(injectedSlot);
    this.leftOut = reply.leftOut.map(({ name, status }) => ({ name, error: statusError(status ?? noStatus(name)) }));
    this.characters = Number(reply.characters);
    this.tokens = Number(reply.tokens);
    this.tokenCounter = reply.tokenCounter;
    this.revision = reply.revision;
    this.#text = reply.text;
  }

  /** The text; empty when nothing could be shown. */
  get text(): string {
    return this.#text;
  }
}

export async function promptCard(at: Binding, options: PromptCardOptions): Promise<PromptCard> {
  const { maxChars, maxTokens, tokenCounter, withSchemas, renew } = options;
  const language = languageOf(options.language);
  const request = { namespace: at.namespace, language, maxChars, maxTokens, tokenCounter, withSchemas, renew };
  const reply = await ask(at, method.getPromptCard, initOf(pb.GetPromptCardRequestSchema, request), options);
  return new PromptCard({
    text: reply.card,
    tail: reply.tail,
    listed: Number(reply.listed),
    slots: Number(reply.slots),
    cardRevision: reply.cardRevision,
    renewed: reply.renewed,
    tokens: Number(reply.tokens),
    tokenCounter: reply.tokenCounter,
    revision: reply.revision,
  });
}

export async function toolSchemas(at: Binding, form: ToolForm, options: ToolSchemasOptions): Promise<Message[]> {
  const language = languageOf(options.language);
  const actions = strings(options.actions ?? [], "actions");
  const reply = await ask(
    at,
    method.getToolSchemas,
    { form: member(pb.ToolForm, form, "form"), language, actions },
    options,
  );
  return JSON.parse(reply.schemasJson) as Message[];
}

export async function inject(at: Binding, names: Iterable<string>, options: InjectOptions): Promise<Injection> {
  const { maxChars, maxTokens, tokenCounter, turn, refuseUntrusted = false, summaries = true } = options;
  const request = initOf(pb.InjectRequestSchema, {
    namespace: at.namespace,
    names: strings(names, "names"),
    language: languageOf(options.language),
    untrusted: pb.UntrustedPolicy[refuseUntrusted ? "REFUSE" : "MARK"],
    noSummaries: !summaries,
    maxChars,
    maxTokens,
    tokenCounter,
    turn,
  });
  return new Injection(await ask(at, method.inject, request, options));
}

export async function injected<T>(
  at: Binding,
  names: Iterable<string>,
  into: Message[],
  body: (injection: Injection) => T | Promise<T>,
  options: InjectedOptions,
): Promise<T> {
  const injection = await inject(at, names, options);
  if (injection.text === "") return body(injection);
  const message = { role: options.role ?? "user", content: injection.text };
  into.push(message);
  try {
    return await body(injection);
  } finally {
    const place = into.lastIndexOf(message);
    if (place >= 0) into.splice(place, 1);
  }
}

/** What to keep of a history. */
export interface ScrubOptions extends CallOptions {
  /** Ids of injections that stay. */
  readonly keep?: Iterable<string> | undefined;
}

export const SCRUB_KEYS = { ...CALL_KEYS, keep: true } satisfies Keys<ScrubOptions>;

export async function scrubText(at: Binding, text: string, options: ScrubOptions): Promise<string> {
  if (text === "") return text;
  // A text that a message cannot carry, for halves of surrogate pairs in it, goes as JSON, which can.
  if (!text.isWellFormed()) return (await scrubbed<string>(at, [text], options))[0] ?? text;
  const request = { text, keep: strings(options.keep ?? [], "keep") };
  return (await ask(at, method.scrub, request, options)).text;
}

export async function scrubMessages<M extends object>(
  at: Binding,
  history: readonly M[],
  options: ScrubOptions,
): Promise<M[]> {
  const left = await scrubbed<M>(at, history, options);
  return history.map((message, place) => {
    const after = left[place];
    return after === undefined || JSON.stringify(after) === JSON.stringify(message) ? message : after;
  });
}

async function scrubbed<M>(at: Binding, history: readonly M[], options: ScrubOptions): Promise<M[]> {
  const request = { messagesJson: JSON.stringify(history), keep: strings(options.keep ?? [], "keep") };
  return JSON.parse((await ask(at, method.scrub, request, options)).messagesJson) as M[];
}

function noStatus(name: string): never {
  throw new Error(`the reply does not say why ${name} is left out`);
}
