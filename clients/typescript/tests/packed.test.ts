import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

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
    import { connect, namespace, SlotNotFound, where } from "@memslot/client";
    import type { Memory, Slot } from "@memslot/client";
    import { SlotService } from "@memslot/client/v1";
    await using memory: Memory = connect({ namespace: namespace("a", "b") });
    const slots: Slot[] = [];
    void where.tags.any("x");
    console.log(SlotService.typeName, typeof SlotNotFound, memory.namespacePath, slots.length);`;
  writeFileSync(join(folder, "program.ts"), program);
  const strict = ["--strict", "--exactOptionalPropertyTypes", "--module", "nodenext", "--target", "es2022"];
  run(join(ROOT, "node_modules/.bin/tsc"), ...strict, "--types", "node", "program.ts");
  assert.equal(run("node", "program.js").trim(), "memslot.v1.SlotService function a/b 0");
  rmSync(folder, { recursive: true });
});
