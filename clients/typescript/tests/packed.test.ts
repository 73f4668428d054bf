import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { Sidecar } from "./sidecar.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const QUIET = ["--silent", "--ignore-scripts", "--no-audit", "--no-fund"];

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

void test("The package holds what belongs into it, and an empty project can install, compile and import it.", () => {
  const folder = mkdtempSync(join(tmpdir(), "memslot-packed-"));
  const run = (command: string, ...given: string[]): string =>
    execFileSync(command, given, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  const packing = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  const told = JSON.parse(execFileSync("npm", packing, { cwd: ROOT, encoding: "utf8" })) as
    Packed[] | Record<string, Packed>;
  const [packed] = Object.values(told);
  assert.ok(packed !== undefined);
  const odd = packed.files
    .map(({ path }) => path)
    .filter(
      (path) => !/^(dist\/[\w/-]+\.(js|d\.ts)|LICENSE|README\.md|package\.json|service_config\.json)$/.test(path),
    );
  assert.deepEqual(odd, []);

  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "empty", private: true, type: "module" }));
  const { devDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    devDependencies: Record<string, string>;
  };
  const types = `@types/node@${devDependencies["@types/node"] ?? ""}`;
  run("npm", "install", ...QUIET, join(folder, packed.filename.replace(/^@/, "").replace("/", "-")), types);
  const program = `
    import { Batch, connect, namespace, SlotNotFound, where } from "@memslot/client";
    import type { Memory, Slot } from "@memslot/client";
    import { SlotService } from "@memslot/client/v1";
    await using memory: Memory = connect({ namespace: namespace("a", "b") });
    const slots: Slot[] = [];
    void where.tags.any("x");
    interface Customer { name: string; plan?: string; since: Date; children: Customer[] }
    export async function stored(customer: Customer): Promise<void> {
      await memory.write("customer", customer);
      await memory.patch("customer", { plan: null });
      new Batch().write("customer", customer).patch("customer", { plan: "pro" });
      await memory.update<Customer>("customer", (one) => ({ ...one, plan: "free" }), { initial: customer });
      await memory.update<number>("count", async (count) => Promise.resolve(count + 1), { initial: 0 });
      await memory.injected(new Set(["customer"]), [], () => 1);
      // @ts-expect-error A Map is no JSON value,
      await memory.write("map", { names: new Map([["a", 1]]) });
      // @ts-expect-error nor is a function,
      await memory.write("function", () => 1);
      // @ts-expect-error nor undefined by itself.
      await memory.write("undefined", undefined);
    }
    console.log(SlotService.typeName, typeof SlotNotFound, memory.namespacePath, slots.length);`;
  writeFileSync(join(folder, "program.ts"), program);
  const strict = ["--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--skipLibCheck", "false"];
  const compiled = (...how: string[]): string =>
    run(join(ROOT, "node_modules/.bin/tsc"), ...strict, "--target", "es2022", "--types", "node", ...how, "program.ts");
  compiled("--module", "esnext", "--moduleResolution", "bundler", "--noEmit");
  compiled("--module", "nodenext");
  assert.equal(run("node", "program.js").trim(), "memslot.v1.SlotService function a/b 0");
  rmSync(folder, { recursive: true });
});

void test("In an empty project the program of README.md runs by the commands that stand there.", async () => {
  const folder = mkdtempSync(join(tmpdir(), "memslot-readme-"));
  await using sidecar = await Sidecar.start();
  const env = { ...process.env, MEMSLOT_TARGET: sidecar.target };
  const run = (script: string): string =>
    execFileSync("bash", ["-euo", "pipefail", "-c", script], { cwd: folder, encoding: "utf8", env });
  const readme = readFileSync(join(ROOT, "README.md"), "utf8");
  const block = (pattern: RegExp): string => pattern.exec(readme)?.[1] ?? assert.fail(`no ${pattern.source}`);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "empty", private: true }));
  const packed = run(`cd "${ROOT}" && npm pack --silent --ignore-scripts --pack-destination "${folder}"`).trim();
  run(`npm install ${QUIET.join(" ")} "./${packed}"`);
  writeFileSync(join(folder, "quick-start.ts"), block(/```ts\n(.*?)```/s));
  // With the compiler that is here in the place of the newest one.
  const commands = block(/```sh\n(npm pkg set .*?)```/s).replace("npm install --save-dev typescript\n", "");
  assert.equal(run(commands.replace("npx tsc", join(ROOT, "node_modules/.bin/tsc"))), block(/```text\n(.*?)```/s));
  rmSync(folder, { recursive: true });
});
