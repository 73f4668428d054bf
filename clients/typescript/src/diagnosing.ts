/** Asking what went wrong in a turn. Names, numbers and reasons, never a body. */

import type { Language } from "./acting.js";
import { CALL_KEYS } from "./binding.js";
import type { Binding, CallOptions } from "./binding.js";
import * as decode from "./decode.js";
import { initOf, languageOf } from "./encode.js";
import type { Keys } from "./options.js";
import { ask } from "./pending.js";
import { sentText } from "./sent.js";
import { shown } from "./shown.js";
import * as pb from "./v1.js";

/** One of the five steps of a turn. */
export type TurnStep = keyof typeof pb.TurnStep;
/** How a step went; UNSPECIFIED where nothing is known of it. */
export type StepVerdict = keyof typeof pb.StepVerdict;

/** What is known of the turn besides. */
export interface DiagnoseOptions extends CallOptions {
  /** By default that of the client. */
  readonly conversation?: string | undefined;
  /** The slot that matters, by default those of the turn's actions. */
  readonly slot?: string | undefined;
  /** What the model wrote: a text, or a provider's message. */
  readonly output?: string | object | undefined;
  /** What it got next: a text, or messages. */
  readonly prompt?: string | readonly object[] | undefined;
  /** What the user was told. */
  readonly answer?: string | undefined;
  /** Of the texts; EN by default. */
  readonly language?: Language | undefined;
}

export const DIAGNOSE_KEYS = {
  ...CALL_KEYS,
  conversation: true,
  slot: true,
  output: true,
  prompt: true,
  answer: true,
  language: true,
} satisfies Keys<DiagnoseOptions>;

/** One thing that was found. */
export interface DiagnosisFinding {
  readonly verdict: StepVerdict;
  readonly reason: string;
  readonly text: string;
  /** The slot that it is about, or empty. */
  readonly name: string;
  /** 0 where there is none. */
  readonly revision: bigint;
}

/** A step of a turn, and how it went: as badly as the worst of its findings. */
export interface DiagnosedStep {
  readonly step: TurnStep;
  readonly verdict: StepVerdict;
  readonly findings: readonly DiagnosisFinding[];
}

/** The fields of {@link Diagnosis}. */
export interface DiagnosisFields {
  /** The five steps, in order. */
  readonly steps: readonly DiagnosedStep[];
  /** The first that broke; undefined when none did. */
  readonly firstBroken: TurnStep | undefined;
  /** What is to be said of the turn, in one sentence. */
  readonly summary: string;
  /** The turn that was looked at. */
  readonly turn: string;
  readonly revision: bigint;
}

/** What is known of a turn in its five steps: output, parse, store, prompt, tokens. */
export class Diagnosis extends shown<DiagnosisFields>() {
  /** The reasons of all findings. */
  get reasons(): ReadonlySet<string> {
    return new Set(this.steps.flatMap(({ findings }) => findings.map(({ reason }) => reason)));
  }

  /** The summary, and below it each step with what was found. */
  override toString(): string {
    const lines = this.steps.flatMap(({ step, verdict, findings }) => [
      `${step.toLowerCase()}: ${verdict === "UNSPECIFIED" ? "unknown" : verdict.toLowerCase()}`,
      ...findings.map(({ text }) => `  ${text}`),
    ]);
    return [this.summary, ...lines].join("\n");
  }
}

export async function diagnose(at: Binding, turn: string, options: DiagnoseOptions): Promise<Diagnosis> {
  const { conversation, slot: name, output = "", prompt = "", answer = "" } = options;
  const request = initOf(pb.DiagnoseTurnRequestSchema, {
    namespace: at.namespace,
    turn,
    conversation,
    name,
    output: sentText(output, "output"),
    prompt: sentText(prompt, "prompt"),
    answer: sentText(answer, "answer"),
    language: languageOf(options.language),
  });
  const reply = await ask(at, pb.AgentService.method.diagnoseTurn, request, options);
  const firstBroken = decode.nameIn(pb.TurnStep, reply.firstBroken);
  return new Diagnosis({
    steps: reply.steps.map(({ step, verdict, findings }) => ({
      step: decode.nameIn(pb.TurnStep, step),
      verdict: decode.nameIn(pb.StepVerdict, verdict),
      findings: findings.map((found) => ({
        verdict: decode.nameIn(pb.StepVerdict, found.verdict),
        reason: found.reason,
        text: found.text,
        name: found.name,
        revision: found.revision,
      })),
    })),
    firstBroken: firstBroken === "UNSPECIFIED" ? undefined : firstBroken,
    summary: reply.summary,
    turn: reply.turn,
    revision: reply.revision,
  });
}
