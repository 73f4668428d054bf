/** Booking turns, and the report on them. Sizes only, never a text. */

import type { Language, Message } from "./acting.js";
import { CALL_KEYS } from "./binding.js";
import type { Binding, CallOptions } from "./binding.js";
import * as decode from "./decode.js";
import { given, initOf, languageOf } from "./encode.js";
import type { Keys } from "./options.js";
import { ask } from "./pending.js";
import { sentPrompt, sentText } from "./sent.js";
import { shown } from "./shown.js";
import { usageOf } from "./usage.js";
import type { Usage } from "./usage.js";
import * as pb from "./v1.js";

const { method } = pb.AgentService;

/** What is known of a call of the model. */
export interface RecordTurnOptions extends CallOptions {
  /** The turn, by default that of the client; one that was booked before is booked anew. */
  readonly turn?: string | undefined;
  /** The tools that were sent: as JSON text, or what `toolSchemas` returned. */
  readonly schemas?: string | readonly object[] | undefined;
  /** The prompt card that was sent, if it is not the one that the server keeps for the conversation. */
  readonly card?: string | undefined;
  /** What the provider said: its own object, or a {@link Usage}. */
  readonly usage?: object | undefined;
  /** What counts tokens; by default the server's setting. */
  readonly tokenCounter?: string | undefined;
}

export const RECORD_KEYS = {
  ...CALL_KEYS,
  turn: true,
  schemas: true,
  card: true,
  usage: true,
  tokenCounter: true,
} satisfies Keys<RecordTurnOptions>;

/** Which turns a report is about. */
export interface TokenReportOptions extends CallOptions {
  /** By default that of the client, and without one all turns of the namespace. */
  readonly conversation?: string | undefined;
  /** At most so many of the latest turns: 100 by default, at most 1000. */
  readonly limit?: number | undefined;
  /** Of the verdict and the problems; EN by default. */
  readonly language?: Language | undefined;
}

export const REPORT_KEYS = {
  ...CALL_KEYS,
  conversation: true,
  limit: true,
  language: true,
} satisfies Keys<TokenReportOptions>;

/** How many characters (code points) and tokens of something there are. */
export interface Amount {
  readonly characters: number;
  readonly tokens: number;
}

/** The fields of {@link TurnAccount}. */
export interface TurnAccountFields {
  readonly turn: string;
  readonly conversation: string;
  readonly time: Date | undefined;
  /** The whole prompt, schemas included; it contains `instruction`, `receipts`, `injected` and `leaked`. */
  readonly prompt: Amount;
  readonly output: Amount;
  /** The card and the schemas. */
  readonly instruction: Amount;
  /** Actions that the model wrote in this turn. */
  readonly actions: Amount;
  readonly receipts: Amount;
  /** What injections of the turn show. */
  readonly injected: Amount;
  /** Bodies that nothing allows. */
  readonly leaked: Amount;
  /** What the prompt would be with all live bodies in it, and without anything of memslot's. */
  readonly inlined: Amount;
  /** Live slots at that time. */
  readonly slots: number;
  readonly bodyBytesOutside: number;
  readonly usage: Usage;
  /** What counted all tokens but those of `usage`. */
  readonly tokenCounter: string;
}

/** The books of one turn. */
export class TurnAccount extends shown<TurnAccountFields>() {}

/** Something that is in the way of a (larger) saving: in words with figures and a remedy. */
export interface SavingProblem {
  readonly cause: keyof typeof pb.MissingSaving;
  readonly text: string;
  /** Turns where it shows. */
  readonly turns: readonly string[];
}

/** The fields of {@link TokenReport}. */
export interface TokenReportFields {
  /** Oldest first. */
  readonly turns: readonly TurnAccount[];
  /** Their sums; undefined when nothing was recorded. */
  readonly total: TurnAccount | undefined;
  /** What memslot saved against inlining every live body, its own cost taken off. */
  readonly saved: Amount;
  /** The size of the inlined prompts over that of those that were sent. */
  readonly ratio: number;
  readonly verdict: keyof typeof pb.Verdict;
  readonly verdictText: string;
  readonly problems: readonly SavingProblem[];
  /** Tokens cannot be added, and the sums have none. */
  readonly mixedCounters: boolean;
  readonly revision: bigint;
}

/** What the latest recorded turns cost. */
export class TokenReport extends shown<TokenReportFields>() {}

export async function recordTurn(
  at: Binding,
  prompt: string | Message | readonly object[],
  output: string | object,
  options: RecordTurnOptions,
): Promise<TurnAccount> {
  const { turn, schemas, card, usage, tokenCounter } = options;
  const request = initOf(pb.RecordTurnRequestSchema, {
    namespace: at.namespace,
    ...sentPrompt(prompt),
    output: sentText(output, "output"),
    schemasJson: schemas === undefined ? undefined : sentText(schemas, "schemas"),
    card: card === undefined ? undefined : sentText(card, "card"),
    usage: usage === undefined ? undefined : counts(usageOf(usage)),
    turn,
    tokenCounter,
  });
  const reply = await ask(at, method.recordTurn, request, options);
  return account(reply.account ?? decode.missing("account"));
}

export async function tokenReport(at: Binding, options: TokenReportOptions): Promise<TokenReport> {
  const { conversation, limit } = options;
  if (limit !== undefined && limit < 1) throw new RangeError(`limit is ${String(limit)}: ask for one turn at least`);
  const language = languageOf(options.language);
  const request = initOf(pb.GetTokenReportRequestSchema, { namespace: at.namespace, conversation, limit, language });
  const reply = await ask(at, method.getTokenReport, request, options);
  return new TokenReport({
    turns: reply.turns.map(account),
    total: reply.total === undefined ? undefined : account(reply.total),
    saved: amount(reply.saved),
    ratio: reply.ratio,
    verdict: decode.nameIn(pb.Verdict, reply.verdict),
    verdictText: reply.verdictText,
    problems: reply.problems.map(({ cause, text, turns }) => ({
      cause: decode.nameIn(pb.MissingSaving, cause),
      text,
      turns,
    })),
    mixedCounters: reply.mixedCounters,
    revision: reply.revision,
  });
}

function account(message: pb.TurnAccount): TurnAccount {
  const { promptTokens, cachedTokens, completionTokens } = message.usage ?? {};
  return new TurnAccount({
    turn: message.turn,
    conversation: message.conversation,
    time: decode.moment(message.time),
    prompt: amount(message.prompt),
    output: amount(message.output),
    instruction: amount(message.instruction),
    actions: amount(message.actions),
    receipts: amount(message.receipts),
    injected: amount(message.injected),
    leaked: amount(message.leaked),
    inlined: amount(message.inlined),
    slots: Number(message.slots),
    bodyBytesOutside: Number(message.bodyBytesOutside),
    usage: {
      promptTokens: count(promptTokens),
      cachedTokens: count(cachedTokens),
      completionTokens: count(completionTokens),
    },
    tokenCounter: message.tokenCounter,
  });
}

function amount(message: pb.Amount | undefined): Amount {
  return { characters: Number(message?.characters ?? 0n), tokens: Number(message?.tokens ?? 0n) };
}

function count(told: bigint | undefined): number | undefined {
  return told === undefined ? undefined : Number(told);
}

function counts({ promptTokens, cachedTokens, completionTokens }: Usage) {
  const big = (told: number | undefined): bigint | undefined => (told === undefined ? undefined : BigInt(told));
  return given({
    promptTokens: big(promptTokens),
    cachedTokens: big(cachedTokens),
    completionTokens: big(completionTokens),
  });
}
