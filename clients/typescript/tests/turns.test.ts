import assert from "node:assert/strict";
import { inspect } from "node:util";
import { after, before, test } from "node:test";

import * as errors from "@memslot/client";

import { Sidecar } from "./sidecar.js";

const FOX = "The quick brown fox jumps over the lazy dog near the river bank at dawn.";

let sidecar: Sidecar;
before(async () => {
  sidecar = await Sidecar.start();
});
after(() => sidecar[Symbol.asyncDispose]());

void test("A turn is booked in sizes; the report says whether memory outside the prompt pays, and what is in the way.", async () => {
  await using memory = sidecar.connect({ conversation: "talk" });
  await memory.write("fox", FOX);
  const usage = { prompt_tokens: 12, completion_tokens: 3 };
  const options = { turn: "1", usage, tokenCounter: "chars", schemas: await memory.toolSchemas("OPENAI") };
  const first = await memory.recordTurn("a prompt without it", { role: "assistant", content: "ok" }, options);
  assert.deepEqual([first.turn, first.conversation, first.slots, first.bodyBytesOutside], ["1", "talk", 1, FOX.length]);
  assert.deepEqual(first.usage, { promptTokens: 12, cachedTokens: undefined, completionTokens: 3 });
  assert.ok(first.instruction.characters > 100 && first.prompt.characters > first.instruction.characters);
  assert.equal(first.prompt.tokens, first.prompt.characters);
  const second = await memory.turn("2").recordTurn([{ role: "user", content: `\ud800 ${FOX}` }]);
  assert.equal(second.leaked.characters, FOX.length);
  const report = await memory.tokenReport({ limit: 10, language: "EN" });
  assert.deepEqual(
    report.turns.map(({ turn }) => turn),
    ["1", "2"],
  );
  assert.equal(report.total?.leaked.characters, FOX.length);
  assert.notEqual(report.verdict, "UNSPECIFIED");
  const { cause, turns } = report.problems.find((problem) => problem.cause === "RESULTS_IN_HISTORY") ?? {};
  assert.deepEqual([cause, turns], ["RESULTS_IN_HISTORY", ["2"]]);
  const nothing = await memory.tokenReport({ conversation: "another" });
  assert.deepEqual([nothing.verdict, nothing.total?.turn ?? ""], ["UNSPECIFIED", ""]);
  assert.ok(JSON.stringify(report).includes('"revision"') && inspect(report).startsWith("TokenReport"));
  await assert.rejects(memory.recordTurn("of no turn"), errors.InvalidField);
  await assert.rejects(memory.recordTurn("x", "", { turn: "3", card: "no such card" }), errors.InvalidField);
  await assert.rejects(memory.recordTurn("x", "", { turn: "3", usage: [7] }), TypeError);
  await assert.rejects(memory.recordTurn(7 as unknown as string), TypeError);
  await assert.rejects(memory.tokenReport({ limit: 0 }), RangeError);
});

void test("A provider's usage is understood in the form of each provider.", async () => {
  await using memory = sidecar.connect();
  const forms: [object, (number | undefined)[]][] = [
    [{ prompt_tokens: 9, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 4 } }, [9, 4, 2]],
    [{ input_tokens: 9, output_tokens: 2, input_tokens_details: { cached_tokens: 4 } }, [9, 4, 2]],
    [{ prompt_tokens: 9, completion_tokens: 2, cached_tokens: 5 }, [9, 5, 2]],
    [{ input_tokens: 9, output_tokens: 2, cache_read_input_tokens: 4, cache_creation_input_tokens: 1 }, [14, 4, 2]],
    [{ promptTokenCount: 9, cachedContentTokenCount: 4, candidatesTokenCount: 2, thoughtsTokenCount: 5 }, [9, 4, 7]],
    [{ prompt_token_count: 9, candidates_token_count: 2, thoughts_token_count: null }, [9, undefined, 2]],
    [{ promptTokens: 9 }, [9, undefined, undefined]],
    [{}, [undefined, undefined, undefined]],
  ];
  for (const [usage, want] of forms) {
    const { usage: told } = await memory.recordTurn("a prompt", "", { turn: "1", usage });
    assert.deepEqual([told.promptTokens, told.cachedTokens, told.completionTokens], want);
  }
});

void test("What came back into a prompt unasked is found, with offsets for slice; an injection of the turn allows it.", async () => {
  await using memory = sidecar.connect();
  await memory.write("fox", FOX);
  await memory.write("plan", { go: ["north", 98765], then: { rest: "a while" } });
  const text = `😀 ${FOX}`;
  const key = { role: "user", "no plain word": { text } };
  const call = { role: "tool", input: { go: ["north", 98765], then: { rest: "a while" } } };
  const inspection = await memory.inspectPrompt([{ role: "user", content: [{ type: "text", text }] }, key, call]);
  const places = inspection.leaked.map(({ name, messageIndex, field }) => [name, messageIndex, field]);
  assert.deepEqual(places, [
    ["fox", 0, "content[0].text"],
    ["fox", 1, "{1}.text"],
    ["plan", 2, ""],
  ]);
  const slices = inspection.findings.map(({ span }, at) =>
    (at < 2 ? text : JSON.stringify(call)).slice(span.start, span.end),
  );
  assert.deepEqual(slices, [FOX, FOX, JSON.stringify(call.input)]);
  const [found] = (await memory.inspectPrompt(text, { tokenCounter: "chars" })).leaked;
  assert.ok(found !== undefined && found.whole && found.tokens === FOX.length && found.injectionId === undefined);
  assert.equal(text.slice(found.span.start, found.span.end), FOX);
  assert.equal((await memory.inspectPrompt({ role: "user", content: FOX })).leaked.length, 1);
  const { text: shown } = await memory.inject(["fox"], { turn: "7" });
  const allowed = await memory.inspectPrompt(shown, { turn: "7" });
  assert.deepEqual([allowed.findings.length, allowed.leaked.length, allowed.leakedCharacters], [1, 0, 0]);
  assert.ok(!JSON.stringify(inspection).includes("quick"));
  await assert.rejects(memory.inspectPrompt(""), errors.InvalidField);
});

void test("The five steps of a turn say which broke first; of a turn of which nothing is known that is said.", async () => {
  await using memory = sidecar.connect({ conversation: "talk" });
  await assert.rejects(memory.diagnose("1"), errors.TurnNotFound);
  await memory.act('{"action": "mem_write", "slot": "name", "value": "Ada"}', { turn: "1" });
  const options = { conversation: "talk", slot: "name", prompt: [{ role: "user", content: "go on" }], answer: "Ada" };
  const well = await memory.diagnose("", options);
  assert.deepEqual([well.turn, well.firstBroken], ["1", undefined]);
  assert.deepEqual(
    well.steps.map(({ step }) => step),
    ["OUTPUT", "PARSE", "STORE", "PROMPT", "TOKENS"],
  );
  assert.equal(well.steps[2]?.verdict, "OK");
  const output = '{"action": "mem_write", "slot": "cut", "value": "the end is mis';
  const broken = await memory.diagnose("2", { output });
  assert.deepEqual([broken.firstBroken, broken.steps[1]?.verdict], ["PARSE", "BROKEN"]);
  assert.ok(broken.reasons.size > 0);
  assert.match(String(broken), /\nparse: broken\n {2}/);
});
