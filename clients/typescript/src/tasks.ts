/** Tasks: memory that belongs to one attempt at something. */

import { inspect } from "node:util";

import { CALL_KEYS } from "./binding.js";
import type { Binding, CallOptions } from "./binding.js";
import { duration, strings } from "./encode.js";
import { MemslotError, StaleAttempt } from "./errors.js";
import type { Memory } from "./memory.js";
import type { Keys } from "./options.js";
import { mutate, newRequestId } from "./pending.js";
import { wellFormed } from "./utf8.js";
import * as pb from "./v1.js";

const RETAIN_FAILED_MS = 3_600_000;
const { method } = pb.NamespaceService;

/** Which attempt of a task begins, and what becomes of it. */
export interface TaskOptions extends CallOptions {
  /** From 1; the one after the last by default. Beginning an attempt seals the one before. */
  readonly attempt?: bigint | number | undefined;
  /** Slots of the attempt before that move to this one, at most 128. */
  readonly carryOver?: Iterable<string> | undefined;
  /** How long what is not promoted can still be read when the attempt ended well: not at all by default. */
  readonly retainMs?: number | undefined;
  /** The same when it failed: an hour by default. */
  readonly retainFailedMs?: number | undefined;
}

export const TASK_KEYS = {
  ...CALL_KEYS,
  attempt: true,
  carryOver: true,
  retainMs: true,
  retainFailedMs: true,
} satisfies Keys<TaskOptions>;

/**
 * An attempt at a task that has begun. `memory` is its own.
 *
 * Whoever does not use `memory.task` ends it: `succeed()` or `fail()`. Disposing of it (`await using`) fails it unless it was
 * ended, or a later attempt has begun.
 */
export class Task implements AsyncDisposable {
  readonly taskId: string;
  /** A client of the attempt's own namespace. */
  readonly memory: Memory;
  /** Its number, from 1. */
  readonly attempt: bigint;
  /** It had begun before, and finds what it had written. */
  readonly resumed: boolean;
  /** Slots that came from the attempt before. */
  readonly carriedOver: readonly string[];
  /** Slots that were to be carried over and were not there. */
  readonly missing: readonly string[];
  readonly #at: Binding;
  readonly #options: TaskOptions;
  readonly #promote = new Set<string>();
  #ended: pb.EndTaskResponse | undefined;
  #outcome: "SUCCEEDED" | "FAILED" | undefined;

  /** @internal */
  constructor(at: Binding, memory: Memory, taskId: string, begun: pb.BeginTaskResponse, options: TaskOptions) {
    this.#at = at;
    this.#options = options;
    this.taskId = taskId;
    this.memory = memory;
    this.attempt = begun.attempt;
    this.resumed = begun.resumed;
    this.carriedOver = begun.carriedOver;
    this.missing = begun.missing;
  }

  /** Slots that went to the parent's namespace, when the attempt has ended. */
  get promoted(): readonly string[] {
    return this.#ended?.promoted ?? [];
  }

  /** Slots that were to be promoted and were not there. */
  get notPromoted(): readonly string[] {
    return this.#ended?.missing ?? [];
  }

  /** Moves these slots to the parent's namespace when the task ends well, over what is there under the same name. */
  promote(...names: string[]): void {
    for (const name of strings(names, "names")) this.#promote.add(name);
  }

  /** Ends the attempt well: what is to be promoted moves, the rest is forgotten. Doing it again changes nothing. Throws StaleAttempt, OutcomeUnknown. */
  succeed(): Promise<void> {
    return this.#end("SUCCEEDED", [...this.#promote], this.#options.retainMs ?? 0);
  }

  /** Ends the attempt as failed: nothing moves, and all of it can be read for a while. Throws as {@link Task.succeed}. */
  fail(): Promise<void> {
    return this.#end("FAILED", [], this.#options.retainFailedMs ?? RETAIN_FAILED_MS);
  }

  /** Whether an error says that this very attempt is over: then there is nothing to end. */
  isOver(error: unknown): boolean {
    if (!(error instanceof StaleAttempt)) return false;
    const { task, attempt } = error.metadata;
    return this.memory.namespacePath === `${task ?? ""}/attempt-${attempt ?? ""}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#ended !== undefined) return;
    try {
      await this.fail();
    } catch (error) {
      if (!this.isOver(error)) throw error;
    }
  }

  /** What a log may keep. */
  toJSON(): Record<string, unknown> {
    const { taskId, attempt, resumed, carriedOver, missing, promoted, notPromoted } = this;
    return { taskId, attempt: attempt.toString(), resumed, carriedOver, missing, promoted, notPromoted };
  }

  [inspect.custom](): string {
    return `Task ${inspect(this.taskId)}, attempt ${String(this.attempt)}`;
  }

  async #end(outcome: "SUCCEEDED" | "FAILED", promote: string[], retainMs: number): Promise<void> {
    if (this.#outcome === outcome) return;
    const { taskId, attempt } = this;
    const said = { taskId, attempt, outcome: pb.TaskOutcome[outcome], promote, retain: duration(retainMs, "retain") };
    const request = { namespace: this.#at.namespace, requestId: newRequestId(), ...said };
    const { signal: _given, ...options } = this.#options;
    this.#ended = await mutate(this.#at, method.endTask, request, (reply) => reply, options);
    this.#outcome = outcome;
  }
}

export async function beginTask(
  at: Binding,
  taskId: string,
  options: TaskOptions,
  bound: (path: string) => Memory,
): Promise<Task> {
  const { attempt } = options;
  if (attempt !== undefined && attempt < 1) {
    throw new RangeError(`attempt is ${String(attempt)}: attempts count from 1; leave it out for the next one`);
  }
  const request = {
    namespace: at.namespace,
    taskId: wellFormed(taskId, "taskId"),
    attempt: BigInt(attempt ?? 0),
    carryOver: strings(options.carryOver ?? [], "carryOver"),
    requestId: newRequestId(),
  };
  const begun = await mutate(at, method.beginTask, request, (reply) => reply, options);
  return new Task(at, bound(begun.taskNamespace), taskId, begun, options);
}

/** Runs `body` in an attempt and ends it: well when it returns, as failed when it throws. What was thrown first is thrown. */
export async function inTask<T>(task: Task, body: (task: Task) => T | Promise<T>): Promise<T> {
  let result: T;
  try {
    result = await body(task);
  } catch (error) {
    if (!task.isOver(error)) await task.fail().catch(ignoreMemslotError);
    throw error;
  }
  await task.succeed();
  return result;
}

function ignoreMemslotError(error: unknown): void {
  if (!(error instanceof MemslotError)) throw error;
}
