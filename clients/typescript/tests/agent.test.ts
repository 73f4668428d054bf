import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import * as errors from "@memslot/client";
import type { Message } from "@memslot/client";

import { Sidecar } from "./sidecar.js";

let sidecar: Sidecar;
before(async () => {
  sidecar = await Sidecar.start();
});
after(() => sidecar[Symbol.asyncDispose]());

void test("A model's text is acted on, and its history keeps no value that was stored.", async () => {
  await using memory = sidecar.connect();
  const output = 'Sure 😀 {"action": "mem_write", "slot": "name", "value": "Ada Lovelace"} noted.';
  const acted = await memory.act(output);
  const [action] = acted.actions;
  assert.ok(action !== undefined);
  assert.deepEqual([action.action, action.outcome, action.name], ["mem_write", "DONE", "name"]);
  assert.equal(output.slice(action.span.start, action.span.end).at(0), "{");
  assert.equal(output.slice(action.span.end), " noted.");
  assert.deepEqual({ ...action.arguments }, { slot: "name", value: "Ada Lovelace" });
  assert.equal(acted.userText, "Sure 😀  noted.");
  const history = acted.history(output);
  assert.ok(!JSON.stringify(history).includes("Lovelace"));
  assert.match(String(history[0]?.["content"]), /^Sure 😀 \{"action":"mem_write","slot":"name"\} noted\.$/);
  assert.deepEqual(history[1], { role: "user", content: acted.modelText });
  const read = await memory.act('{"action": "mem_read", "slot": "name"}', { onRead: "SHOW_ONCE" });
  assert.equal(read.slots.get("name")?.text, "Ada Lovelace");
  assert.match(read.injection, /Ada Lovelace/);
  assert.ok((await memory.act("Nothing to do.")).empty);
});

void test("Provider messages are acted on, answered call by call, and kept without their values.", async () => {
  await using memory = sidecar.connect();
  const call = { name: "mem_write", arguments: '{"slot": "n", "value": "secret-1"}' };
  const openai = { role: "assistant", content: null, tool_calls: [{ id: "c1", type: "function", function: call }] };
  const told = (await memory.act(openai)).history(openai);
  assert.ok(!JSON.stringify(told).includes("secret-1"));
  assert.deepEqual([told[1]?.["role"], told[1]?.["tool_call_id"]], ["tool", "c1"]);
  const input = { slot: "m", value: { deep: "secret-2" } };
  const anthropic = { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "mem_write", input }] };
  const kept = (await memory.act(anthropic)).history(anthropic);
  assert.ok(!JSON.stringify(kept).includes("secret-2"));
  assert.deepEqual((kept[1]?.["content"] as Message[])[0]?.["tool_use_id"], "t1");
  assert.deepEqual((await memory.read("m")).value, { deep: "secret-2" });
});

void test("Wherever a provider's message holds an action, and however it was mended, its history keeps no value.", async () => {
  await using memory = sidecar.connect();
  const text = `Noted 😀 {"action": "mem_write", "slot": "n", "value": "sec\\"ret"} "so"`;
  const short = `Noted 😀 {"action":"mem_write","slot":"n"} "so"`;
  const input = { slot: "n", value: { deep: "secret" } };
  const call = (given: unknown) => ({ name: "mem_write", arguments: given });
  const openai = (given: unknown) => ({
    role: "assistant",
    tool_calls: [{ id: "c1", type: "function", function: call(given) }],
  });
  const pairs: [Message, unknown][] = [
    ...[
      `{"slot": "n", "value": "secret",}`,
      `{'slot': 'n', 'value': 'secret'}`,
      JSON.stringify(JSON.stringify(input)),
    ].map((given): [Message, unknown] => [openai(given), openai('{"slot":"n"}')]),
    [
      { role: "assistant", content: [{ type: "text", text }] },
      { role: "assistant", content: [{ type: "text", text: short }] },
    ],
    [
      { role: "assistant", function_call: call(JSON.stringify(input)) },
      { role: "assistant", function_call: call('{"slot":"n"}') },
    ],
    [
      { role: "model", parts: [{ functionCall: { name: "mem_write", args: input } }] },
      { role: "model", parts: [{ functionCall: { name: "mem_write", args: { slot: "n" } } }] },
    ],
    [
      { output: [{ type: "function_call", call_id: "c", ...call(JSON.stringify(input)) }] },
      { output: [{ type: "function_call", call_id: "c", ...call('{"slot":"n"}') }] },
    ],
  ];
  for (const [said, left] of pairs) {
    const acted = await memory.act(said, { lenient: true });
    assert.deepEqual(
      acted.actions.map(({ outcome }) => outcome),
      ["DONE"],
    );
    assert.deepEqual(acted.history(said)[0], left);
    assert.throws(
      () => acted.history({ ...said, more: "secret" }),
      /^TypeError: said is not the output that was acted on$/,
    );
  }
  const listed = [{ role: "user", content: "go on" }, openai(JSON.stringify(input))];
  const told = (await memory.act(listed)).history(listed);
  assert.deepEqual(
    told.map(({ role }) => role),
    ["user", "assistant", "tool"],
  );
  assert.ok(!JSON.stringify(told).includes("secret"));
});

void test("Integers of any size in an action are stored and told exactly; halves of surrogate pairs do no harm.", async () => {
  await using memory = sidecar.connect();
  const acted = await memory.act('\ud800 {"action": "mem_write", "slot": "id", "value": 98765432109876543210}');
  assert.equal(acted.actions[0]?.arguments["value"], 98765432109876543210n);
  assert.equal((await memory.read("id")).value, 98765432109876543210n);
});

void test("What only validates changes nothing; what is broken is told as a reject.", async () => {
  await using memory = sidecar.connect();
  const checked = await memory.act('{"action": "mem_write", "slot": "a", "value": 1}', { validateOnly: true });
  assert.equal(checked.actions[0]?.outcome, "VALID");
  await assert.rejects(memory.read("a"), errors.SlotNotFound);
  const broken = await memory.act('{"action": "mem_write", "slot": "a", "value": ');
  assert.equal(broken.rejects.length, 1);
  assert.equal(broken.empty, false);
  await assert.rejects(memory.act(7), TypeError);
});

void test("A prompt card stands around a history, and says in its tail what changed since.", async () => {
  await using memory = sidecar.connect({ conversation: "用户" });
  await memory.write("plan", "x", { description: "What we do." });
  const card = await memory.promptCard({ maxChars: 2000 });
  assert.match(card.text, /plan/);
  const asked = [{ role: "user", content: "Hello" }];
  assert.deepEqual(card.around(asked), [{ role: "system", content: card.text }, ...asked]);
  await memory.write("later", "y");
  const again = await memory.promptCard({ maxChars: 2000 });
  assert.equal(again.text, card.text);
  assert.deepEqual(again.around(asked)[1], { role: "user", content: again.tail });
  assert.equal((await memory.toolSchemas("ANTHROPIC", { actions: ["mem_read"] }))[0]?.["name"], "mem_read");
  await assert.rejects(memory.promptCard({ maxChars: 10 }), errors.InvalidField);
});

void test("Bodies are shown for one call, and scrubbed out of what stayed.", async () => {
  await using memory = sidecar.connect();
  const turn = memory.turn("7");
  await turn.write("plan", "Go north.");
  const prompt: Message[] = [{ role: "user", content: "Where to?" }];
  const seen = await turn.injected(["plan", "none"], prompt, (injection) => {
    assert.match(String(prompt[1]?.["content"]), /Go north/);
    assert.ok(injection.leftOut[0]?.error instanceof errors.SlotNotFound);
    return injection;
  });
  assert.equal(prompt.length, 1);
  assert.equal(await turn.scrub(`before ${seen.text} after`), "before  after");
  const history = [
    { role: "user", content: "kept" },
    { role: "user", content: seen.text },
  ];
  const left = await turn.scrub(history);
  assert.equal(left[0], history[0]);
  assert.ok(!JSON.stringify(left).includes("north"));
  assert.equal(await turn.scrub("\ud800"), "\ud800");
});

void test("A task has a memory of its own; what it promotes moves when it ends well, and nothing when it fails.", async () => {
  await using memory = sidecar.connect();
  const made = await memory.task("job", async (task) => {
    await task.memory.write("result", "good");
    await task.memory.write("notes", "rest");
    task.promote("result", "absent");
    return task;
  });
  assert.deepEqual([made.attempt, made.promoted, made.notPromoted], [1n, ["result"], ["absent"]]);
  assert.equal((await memory.read("result")).text, "good");
  await assert.rejects(memory.read("notes"), errors.SlotNotFound);
  const early = await memory.task("early", async (task) => {
    await task.memory.write("result", "better");
    task.promote("result");
    await task.succeed();
    return task;
  });
  assert.deepEqual(early.promoted, ["result"]);
  const failing = memory.task("job", async (task) => {
    await task.memory.write("trace", "kept for a while");
    task.promote("trace");
    throw new Error("broken");
  });
  await assert.rejects(failing, /^Error: broken$/);
  await assert.rejects(memory.read("trace"), errors.SlotNotFound);
  const third = await memory.beginTask("job", { carryOver: ["trace"] });
  assert.deepEqual([third.attempt, third.carriedOver], [3n, ["trace"]]);
  const fourth = await memory.beginTask("job");
  await assert.rejects(third.memory.write("late", 1), (error) => third.isOver(error) && !fourth.isOver(error));
  await third[Symbol.asyncDispose]();
  await fourth[Symbol.asyncDispose]();
  await assert.rejects(fourth.memory.write("late", 1), errors.StaleAttempt);
});
