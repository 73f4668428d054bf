/**
 * An agent with a memory outside of its prompt: it is told a name, talks of something else, and is asked for the name. The model is a script;
 * whatever it says about memory, `act` does.
 *
 * It needs a sidecar (`memslot serve`); MEMSLOT_TARGET says where.
 */

import { connect } from "@memslot/client";
import type { Memory, Message } from "@memslot/client";

/** A model that follows its prompt card: it stores what it should remember, and asks for what it does not see. */
function model(prompt: readonly Message[]): string {
  const texts = prompt.map(({ content }) => String(content));
  const asked = texts.findLast((text) => text.endsWith("?") || text.includes("My name is")) ?? "";
  const [, told] = /My name is (\w+)/.exec(asked) ?? [];
  if (told !== undefined) return `Nice to meet you! {"action": "mem_write", "slot": "user_name", "value": "${told}"}`;
  if (!asked.includes("my name")) return "About 384,400 kilometres.";
  const shown = texts.find((text) => text.includes("[memslot begin"));
  const [, name] = /^(\w+)$/m.exec(shown ?? "") ?? [];
  return name === undefined ? '{"action": "mem_read", "slot": "user_name"}' : `Of course: you are ${name}.`;
}

/** Lets the model speak until it has nothing more to do with its memory. No body stays in the history. */
async function answer(memory: Memory, history: Message[], line: string): Promise<void> {
  console.log(`user:   ${line}`);
  history.push({ role: "user", content: line });
  for (let shown = ""; ;) {
    const card = await memory.promptCard();
    const tail = shown === "" ? [] : [{ role: "user", content: shown }];
    const said = model([...card.around(history), ...tail]);
    const acted = await memory.act(said, { onRead: "SHOW_ONCE" });
    if (acted.userText.trim() !== "") console.log(`agent:  ${acted.userText.trim()}`);
    for (const { action, name, outcome } of acted.actions) console.log(`        (${action} ${name}: ${outcome})`);
    history.push(...acted.history(said));
    shown = acted.injection;
    if (shown === "") return;
  }
}

const memory = connect({ namespace: "examples/save-a-name", agent: "save-a-name", conversation: "example" });
const history: Message[] = [];
const lines = ["Hello! My name is Ada.", "How far is the moon?", "Do you still know my name?"];
for (const [turn, line] of lines.entries()) await answer(memory.turn(String(turn + 1)), history, line);
memory.close();

const kept = JSON.stringify(history.filter(({ role }) => role !== "user"));
console.log(
  `\nTimes the name stands in what the agent keeps of its own words: ${String(kept.split("Ada").length - 1)}`,
);
