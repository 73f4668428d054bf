import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { Sidecar } from "./sidecar.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

void test("The example saves a name, changes the subject, and knows the name when it is asked.", async () => {
  await using sidecar = await Sidecar.start();
  const told = await run(sidecar, join(ROOT, "dist-checks/examples/save-a-name.js"));
  assert.match(told, /user: {3}Hello! My name is Ada\.\nagent: {2}Nice to meet you!\n +\(mem_write user_name: DONE\)/);
  assert.match(told, /How far is the moon\?\nagent: {2}About 384,400/);
  assert.match(told, /\(mem_read user_name: DONE\)\nagent: {2}Of course: you are Ada\./);
});

void test("Each program in README.md compiles as it is printed there, and does what is printed behind it.", async () => {
  const readme = readFileSync(join(ROOT, "README.md"), "utf8");
  const programs = [...readme.matchAll(/```ts\n(.*?)```(?:\n\n```text\n(.*?)```)?/gs)];
  assert.ok(programs.length > 0);
  const folder = join(ROOT, "dist-checks/readme");
  mkdirSync(folder, { recursive: true });
  await using sidecar = await Sidecar.start();
  for (const [place, [, program = "", printed]] of programs.entries()) {
    const source = join(folder, `program-${String(place)}.ts`);
    writeFileSync(source, program);
    const strict = ["--strict", "--module", "nodenext", "--target", "es2022", "--lib", "es2023", "--types", "node"];
    execFileSync(join(ROOT, "node_modules/.bin/tsc"), [...strict, source], { cwd: ROOT, stdio: "inherit" });
    const told = await run(sidecar, source.replace(/\.ts$/, ".js"));
    if (printed !== undefined) assert.equal(told, printed);
  }
});

async function run(sidecar: Sidecar, program: string): Promise<string> {
  const env = { ...process.env, MEMSLOT_TARGET: sidecar.target };
  return Promise.resolve(execFileSync("node", [program], { encoding: "utf8", env }));
}
