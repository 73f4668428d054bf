/** The verbs about turns and prompts. */

import type { Memory, Message } from "@memslot/client";

import type { JsonObject } from "./protocol.js";

/** What a verb does. Its result is JSON. */
export type Verb = (memory: Memory, given: JsonObject) => Promise<unknown>;

/** Books, reports, inspections and diagnoses. */
export const TURN_VERBS: Readonly<Record<string, Verb>> = {
  record: async (memory, given) => {
    const { turn, usage } = given as { turn: string; usage?: object };
    const output = (given["output"] ?? "") as string | object;
    const account = await memory.recordTurn(prompt(given), output, { turn, usage, tokenCounter: "chars" });
    const { promptTokens = null, cachedTokens = null, completionTokens = null } = account.usage;
    return {
      turn: account.turn,
      conversation: account.conversation,
      prompt: account.prompt.characters,
      output: account.output.characters,
      leaked: account.leaked.characters,
      slots: account.slots,
      bytes: account.bodyBytesOutside,
      usage: [promptTokens, cachedTokens, completionTokens],
    };
  },
  report: async (memory, given) => {
    const { conversation } = given as { conversation?: string };
    const { turns, verdict, problems, saved } = await memory.tokenReport({ conversation });
    return {
      turns: turns.map(({ turn }) => turn),
      verdict,
      problems: problems.map(({ cause, turns: where }) => ({ cause, turns: where })),
      saved: saved.characters,
    };
  },
  inspect: async (memory, given) => {
    const { turn } = given as { turn?: string };
    const { findings, leaked, leakedCharacters } = await memory.inspectPrompt(prompt(given), { turn });
    return {
      findings: findings.map(({ name, messageIndex, field, span, whole, injectionId }) => ({
        name,
        message_index: messageIndex,
        field,
        ...span,
        whole,
        allowed: injectionId !== undefined,
      })),
      leaked: leaked.map(({ name }) => name),
      leaked_characters: leakedCharacters,
    };
  },
  diagnose: async (memory, given) => {
    const { turn, slot, output, prompt: next, answer } = given as Record<string, string>;
    const diagnosis = await memory.diagnose(turn, { slot, output, prompt: next, answer });
    return {
      turn: diagnosis.turn,
      first_broken: diagnosis.firstBroken ?? "",
      steps: diagnosis.steps.map(({ step, verdict }) => ({ step, verdict })),
      reasons: [...diagnosis.reasons].sort(),
    };
  },
};

function prompt(given: JsonObject): string | Message[] {
  return (given["messages"] ?? given["prompt"]) as string | Message[];
}
