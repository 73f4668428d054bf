/** A real sidecar for tests. */

import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { connect } from "@memslot/client";
import type { ConnectOptions, Memory } from "@memslot/client";

const BESIDE = fileURLToPath(new URL("../../../../.venv/bin/memslot", import.meta.url));

/** A sidecar that serves a new store until it is disposed of. */
export class Sidecar implements AsyncDisposable {
  readonly #process: ChildProcess;
  readonly #folder: string;
  /** `127.0.0.1:PORT`. */
  readonly target: string;
  /** What it listens on, in the order of its options. */
  readonly listening: readonly string[];

  private constructor(process: ChildProcess, folder: string, listening: readonly string[]) {
    this.#process = process;
    this.#folder = folder;
    this.listening = listening;
    this.target = listening.find((address) => address.startsWith("127.0.0.1:")) ?? "";
  }

  /** `unix:/path`. */
  get socket(): string {
    return `unix:${join(this.#folder, "s")}`;
  }

  /** Starts one, with more options if given; resolves when it serves. */
  static async start(...options: string[]): Promise<Sidecar> {
    const folder = mkdtempSync(join(tmpdir(), "memslot-ts-"));
    const listen = ["--listen", "127.0.0.1:0", "--listen", `unix:${join(folder, "s")}`];
    const named = process.env["MEMSLOT_COMMAND"] ?? "";
    const command = named !== "" ? named : existsSync(BESIDE) ? BESIDE : "memslot";
    const started = spawn(command, ["serve", "--data-dir", join(folder, "data"), ...listen, ...options], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    const listening: string[] = [];
    const said: string[] = [];
    for await (const line of createInterface({ input: started.stderr })) {
      said.push(line);
      const [, address] = /^ *(?:listening|http) on +(\S+)/.exec(line) ?? [];
      if (address !== undefined) listening.push(address);
      else if (listening.length > 0) break;
    }
    started.stderr.resume();
    if (listening.length === 0) throw new Error(`no sidecar was started: ${said.join("\n")}`);
    return new Sidecar(started, folder, listening);
  }

  /** A client of a namespace of its own. */
  connect(options: ConnectOptions = {}): Memory {
    return connect({ target: this.target, namespace: `test/${String(namespaces++)}`, ...options });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#process.exitCode === null) {
      const left = once(this.#process, "exit");
      this.#process.kill("SIGTERM");
      await left;
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

let namespaces = 1;
