/** The client. */

import { inspect } from "node:util";

import type { DescMessage, DescMethodServerStreaming, DescMethodUnary } from "@bufbuild/protobuf";
import type { MessageInitShape, MessageShape } from "@bufbuild/protobuf";

import * as accounting from "./accounting.js";
import * as acting from "./acting.js";
import type { ActOptions, Acted, Message } from "./acting.js";
import * as admin from "./admin.js";
import * as batches from "./batch.js";
import type { Batch } from "./batch.js";
import { CALL_KEYS, MUTATION_KEYS } from "./binding.js";
import type { Binding, CallOptions, MutationOptions, TraceSource } from "./binding.js";
import * as diagnosing from "./diagnosing.js";
import * as inspecting from "./inspecting.js";
import * as many from "./many.js";
import { Namespaces } from "./namespaces.js";
import { known } from "./options.js";
import * as pending from "./pending.js";
import * as prompts from "./prompts.js";
import * as reading from "./reading.js";
import type * as results from "./results.js";
import * as searching from "./searching.js";
import * as tasks from "./tasks.js";
import * as updating from "./updating.js";
import type { Storable, Value } from "./values.js";
import * as writing from "./writing.js";

const TRACE_KEYS = { traceparent: true } as const;

/**
 * Slots of one namespace. Made by `connect`; close it, or declare it with `await using`.
 *
 * Methods throw a {@link MemslotError} of the reason's class, {@link OutcomeUnknown} when a change was sent and no answer came, and TypeError
 * or RangeError for arguments that can never work, a key among them that the method does not know.
 */
export class Memory implements AsyncDisposable {
  readonly #at: Binding;

  /** @internal */
  constructor(at: Binding) {
    this.#at = at;
  }

  /** The namespace that calls are about. */
  get namespacePath(): string {
    return this.#at.namespace;
  }

  /** The calls about namespaces: update, get, list, delete. */
  get namespaces(): Namespaces {
    return new Namespaces(this.#at);
  }

  /** Returns a client for another namespace (a whole path) on the same connection; closing either closes both. */
  namespace(path: string): Memory {
    return new Memory(this.#at.with({ namespace: path }));
  }

  /** Returns a client whose calls the audit tells as of that turn, and of that W3C trace, on the same connection. */
  turn(turn: string, trace: { readonly traceparent?: TraceSource } = {}): Memory {
    return new Memory(this.#at.with({ said: { ...this.#at.said, ...known(trace, TRACE_KEYS), turn } }));
  }

  /**
   * Creates a slot or replaces its body; durable when this resolves. A string is stored as text/plain, a Uint8Array as
   * application/octet-stream, any other JSON value as application/json (bigints as integers); `contentType` says otherwise.
   *
   * Throws SlotExists or RevisionMismatch (`ifAbsent`, `ifRevision`), BodyTooLarge, InvalidBody, InvalidName, InvalidField,
   * SlotLimitReached, StoreFull, OutcomeUnknown.
   */
  async write<T>(name: string, value: Storable<T>, options: writing.WriteOptions = {}): Promise<results.Receipt> {
    return writing.write(
      this.#at,
      writing.replacing(name, value as Value, known(options, writing.WRITE_KEYS)),
      options,
    );
  }

  /** Adds text or bytes at the end of a body, atomically; an absent slot is created. Throws as `write`, and ContentTypeMismatch. */
  async append(name: string, value: string | Uint8Array, options: writing.WriteOptions = {}): Promise<results.Receipt> {
    return writing.write(this.#at, writing.appending(name, value, known(options, writing.WRITE_KEYS)), options);
  }

  /**
   * Changes a JSON body by a merge patch (RFC 7396), atomically: a null removes a key. An absent slot is created from the patch.
   *
   * `changes` is a JSON value, or JSON text as bytes. Throws as `write`, and ContentTypeMismatch.
   */
  async patch<T>(name: string, changes: Storable<T>, options: writing.WriteOptions = {}): Promise<results.Receipt> {
    return writing.write(
      this.#at,
      writing.patching(name, changes as Value, known(options, writing.WRITE_KEYS)),
      options,
    );
  }

  /**
   * Replaces a slot's value by `change(value)`, and tries anew when another writer came between; `change` may run several times.
   *
   * The slot's content type stays where the new value fits it. Throws SlotNotFound without `initial`, RevisionMismatch or SlotExists when
   * all attempts lost, and whatever `change` and `write` throw.
   */
  async update<T = Value, R = T>(
    name: string,
    change: (value: T) => R | Promise<R>,
    options: updating.UpdateOptions<T> = {},
  ): Promise<results.Receipt> {
    return updating.update(this.#at, name, change, known(options, updating.UPDATE_KEYS));
  }

  /** Changes what is known about a slot, or when it expires, without touching its body. Throws SlotNotFound, RevisionMismatch, InvalidField. */
  async updateInfo(
    name: string,
    changes: reading.InfoChanges,
    options: MutationOptions = {},
  ): Promise<results.Receipt> {
    return reading.updateInfo(this.#at, name, known(changes, reading.INFO_KEYS), known(options, MUTATION_KEYS));
  }

  /** Returns a slot with its body, which counts as an access. Throws SlotNotFound (also for an expired slot), InvalidName. */
  async read(name: string, options: CallOptions = {}): Promise<results.Slot> {
    return reading.read(this.#at, name, known(options, CALL_KEYS));
  }

  /** Returns a slot unless it is still at `revision`, then undefined: a cheap poll. Throws as `read`. */
  async readIfChanged(name: string, revision: bigint, options: CallOptions = {}): Promise<results.Slot | undefined> {
    return reading.readIfChanged(this.#at, name, revision, known(options, CALL_KEYS));
  }

  /** Returns several slots with their bodies, by name, in as many calls as their size takes. Names without a slot are left out. */
  async readMany(names: Iterable<string>, options: CallOptions = {}): Promise<Map<string, results.Slot>> {
    return many.readMany(this.#at, names, known(options, CALL_KEYS));
  }

  /** Returns a summary of a body, which is no access; undefined for a body that is no text. Throws as `read`. */
  async summary(name: string, options: CallOptions = {}): Promise<results.Summary | undefined> {
    return reading.summary(this.#at, name, known(options, CALL_KEYS));
  }

  /** Returns everything about a slot but its body. Throws SlotNotFound, InvalidName. */
  async describe(name: string, options: reading.DescribeOptions = {}): Promise<results.SlotInfo> {
    return reading.describe(this.#at, name, known(options, reading.DESCRIBE_KEYS));
  }

  /** Returns everything but the bodies of several slots, by name. Names without a slot are left out. */
  async describeMany(
    names: Iterable<string>,
    options: reading.DescribeOptions = {},
  ): Promise<Map<string, results.SlotInfo>> {
    return many.describeMany(this.#at, names, known(options, reading.DESCRIBE_KEYS));
  }

  /** Iterates over the slots whose names start with `prefix`, page by page, without their bodies. Throws InvalidName, InvalidFilter. */
  lookup(prefix = "", options: many.LookupOptions = {}): AsyncGenerator<results.Entry, void, undefined> {
    return many.lookup(this.#at, prefix, known(options, many.LOOKUP_KEYS));
  }

  /** Returns one page of a lookup, for whoever keeps the place. Throws as `lookup`, and InvalidPageToken, StoreReplaced. */
  async lookupPage(prefix = "", options: many.LookupPageOptions = {}): Promise<results.LookupPage> {
    return many.lookupPage(this.#at, prefix, known(options, many.LOOKUP_PAGE_KEYS));
  }

  /**
   * Finds slots by words, by meaning, or both, best first, without their bodies.
   *
   * Throws IndexNotEnabled, IndexOutdated, IndexBehind (`minRevision`), DimensionMismatch, InvalidFilter, InvalidPageToken; in mode VECTOR
   * EmbedderUnavailable and IndexUnavailable, where other modes go on without and say so in `degraded`.
   */
  async search(text: string, options: searching.SearchOptions = {}): Promise<results.SearchResult> {
    return searching.search(this.#at, text, known(options, searching.SEARCH_KEYS));
  }

  /** Removes a slot with its versions; what is not there is the outcome ABSENT. Throws RevisionMismatch, ErasePending, OutcomeUnknown. */
  async forget(name: string, options: reading.ForgetOptions = {}): Promise<results.Receipt> {
    return reading.forget(this.#at, name, known(options, reading.FORGET_KEYS));
  }

  /** Removes all slots for which `where` holds, or, with `everything`, all. Throws TooManyMatches, InvalidFilter, ErasePending. */
  async forgetMatching(options: many.ForgetMatchingOptions): Promise<results.Forgotten> {
    return many.forgetMatching(this.#at, known(options, many.FORGET_MATCHING_KEYS));
  }

  /** Applies a {@link Batch} as one atomic transaction. On failure nothing is changed, and `error.metadata.op_index` names the operation. */
  async commit(batch: Batch, options: MutationOptions = {}): Promise<results.Committed> {
    return batches.commit(this.#at, batch, known(options, MUTATION_KEYS));
  }

  /** Returns the versions that the namespace keeps of a slot, newest first. Throws SlotNotFound. */
  async versions(name: string, options: CallOptions = {}): Promise<results.VersionInfo[]> {
    return reading.versions(this.#at, name, known(options, CALL_KEYS));
  }

  /** Returns the version of a slot that `revision` made, with its body. Throws SlotNotFound, VersionNotFound. */
  async readVersion(name: string, revision: bigint, options: CallOptions = {}): Promise<results.Slot> {
    return reading.readVersion(this.#at, name, revision, known(options, CALL_KEYS));
  }

  /**
   * Executes the memory actions in a model's raw output (its text, or the provider's message), in their order.
   *
   * An action that fails is told in `actions`, and the others go on. Throws InvalidField for what is no output, OutcomeUnknown.
   */
  async act(output: unknown, options: ActOptions = {}): Promise<Acted> {
    return acting.act(this.#at, output, known(options, acting.ACT_KEYS));
  }

  /** Returns the text for the system prompt: how to use memory, and the slots by rank. Throws InvalidField. */
  async promptCard(options: prompts.PromptCardOptions = {}): Promise<prompts.PromptCard> {
    return prompts.promptCard(this.#at, known(options, prompts.CARD_KEYS));
  }

  /** Returns the memory actions as tools of a hosted API. What the model calls goes to `act`. Throws InvalidField. */
  async toolSchemas(form: prompts.ToolForm = "OPENAI", options: prompts.ToolSchemasOptions = {}): Promise<Message[]> {
    return prompts.toolSchemas(this.#at, form, known(options, prompts.TOOL_SCHEMAS_KEYS));
  }

  /** Returns slots as one text for the tail of one prompt, the most important first. Throws InvalidName, InvalidField. */
  async inject(names: Iterable<string>, options: prompts.InjectOptions = {}): Promise<prompts.Injection> {
    return prompts.inject(this.#at, names, known(options, prompts.INJECT_KEYS));
  }

  /** Shows slots while `body` runs: a message with their text stands at the end of `into`, and is taken out afterwards. Throws as `inject`. */
  async injected<T>(
    names: Iterable<string>,
    into: Message[],
    body: (injection: prompts.Injection) => T | Promise<T>,
    options: prompts.InjectedOptions = {},
  ): Promise<T> {
    return prompts.injected(this.#at, names, into, body, known(options, prompts.INJECTED_KEYS));
  }

  /** Returns a text without the injections in it. */
  scrub(history: string, options?: prompts.ScrubOptions): Promise<string>;
  /** Returns messages of any provider without the injections in them; one that held none is the same object. */
  scrub<M extends object>(history: readonly M[], options?: prompts.ScrubOptions): Promise<M[]>;
  async scrub(history: string | readonly object[], options: prompts.ScrubOptions = {}): Promise<unknown> {
    known(options, prompts.SCRUB_KEYS);
    if (typeof history === "string") return prompts.scrubText(this.#at, history, options);
    return prompts.scrubMessages(this.#at, history, options);
  }

  /**
   * Books one call of the model, and returns its books: sizes only, no text is kept. Book it behind `act`, which notes the turn's actions.
   *
   * `prompt` is what the model got, a text or messages of any provider, `output` what it answered. Throws InvalidField: no turn, a card that
   * the prompt does not hold, an unknown counter.
   */
  async recordTurn(
    prompt: string | Message | readonly object[],
    output: string | object = "",
    options: accounting.RecordTurnOptions = {},
  ): Promise<accounting.TurnAccount> {
    return accounting.recordTurn(this.#at, prompt, output, known(options, accounting.RECORD_KEYS));
  }

  /** Returns what the latest recorded turns cost, and whether memory outside the prompt pays. Throws InvalidField. */
  async tokenReport(options: accounting.TokenReportOptions = {}): Promise<accounting.TokenReport> {
    return accounting.tokenReport(this.#at, known(options, accounting.REPORT_KEYS));
  }

  /**
   * Finds what a prompt, a text or messages of any provider, holds of stored bodies: whatever is in `leaked` came back without an injection
   * of the turn. Found is each part of at least 40 characters of a body, and each shorter body of at least 12 as a whole. Throws InvalidField.
   */
  async inspectPrompt(
    prompt: string | Message | readonly object[],
    options: inspecting.InspectPromptOptions = {},
  ): Promise<inspecting.Inspection> {
    return inspecting.inspectPrompt(this.#at, prompt, known(options, inspecting.INSPECT_KEYS));
  }

  /**
   * Returns what is known of a turn in five steps (output, parse, store, prompt, tokens), and the first that broke; no turn is the latest.
   *
   * Throws TurnNotFound (nothing is known of it, and nothing is given), InvalidName, InvalidField.
   */
  async diagnose(turn = "", options: diagnosing.DiagnoseOptions = {}): Promise<diagnosing.Diagnosis> {
    return diagnosing.diagnose(this.#at, turn, known(options, diagnosing.DIAGNOSE_KEYS));
  }

  /**
   * Runs `body` in an attempt at a task, with a memory of its own: `memory.task("job-17", async (task) => { ... })`.
   *
   * When it returns, what `task.promote` named moves to this namespace, and the rest is forgotten; when it throws, the attempt has failed,
   * and all of it is kept for an hour. Throws StaleAttempt, InvalidName, InvalidField, OutcomeUnknown, and what `body` throws.
   */
  async task<T>(
    taskId: string,
    body: (task: tasks.Task) => T | Promise<T>,
    options: tasks.TaskOptions = {},
  ): Promise<T> {
    return tasks.inTask(await this.beginTask(taskId, options), body);
  }

  /** Begins an attempt at a task, for whoever ends it elsewhere. Throws as `task`. */
  async beginTask(taskId: string, options: tasks.TaskOptions = {}): Promise<tasks.Task> {
    return tasks.beginTask(this.#at, taskId, known(options, tasks.TASK_KEYS), (path) => this.namespace(path));
  }

  /** Returns which server this is, and its limits. */
  async serverInfo(options: CallOptions = {}): Promise<admin.ServerInfo> {
    return admin.serverInfo(this.#at, known(options, CALL_KEYS));
  }

  /** Returns what is stored, and what was done since the process started. */
  async stats(options: CallOptions = {}): Promise<admin.Stats> {
    return admin.stats(this.#at, known(options, CALL_KEYS));
  }

  /**
   * Repeats the mutation that `error` is about, under its request id, and returns what the first call would have returned: the first answer
   * if it had happened. This holds for ten minutes. Throws as the first call, and TypeError when the error is about no mutation.
   */
  async retry(error: unknown, options: CallOptions = {}): Promise<unknown> {
    return pending.retry(this.#at, error, known(options, CALL_KEYS));
  }

  /**
   * Calls any unary RPC of `@memslot/client/v1` as it stands: `memory.call(SlotService.method.read, { namespace, name })`.
   *
   * A mutation without a request id gets one, kept over retries.
   */
  async call<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
    options: CallOptions = {},
  ): Promise<MessageShape<O>> {
    return pending.call(this.#at, method, request, known(options, CALL_KEYS));
  }

  /** Calls any server-streaming RPC of `@memslot/client/v1`, such as Backup; `timeoutMs` bounds the stream as a whole. Leaving the loop early ends it. */
  stream<I extends DescMessage, O extends DescMessage>(
    method: DescMethodServerStreaming<I, O>,
    request: MessageInitShape<I>,
    options: CallOptions = {},
  ): AsyncGenerator<MessageShape<O>, void, undefined> {
    return pending.stream(this.#at, method, request, known(options, CALL_KEYS));
  }

  /**
   * Closes the connection, for each client on it; idempotent. From then on calls throw ClientClosed. So do calls that were under way, but a
   * mutation that was sent throws OutcomeUnknown.
   */
  close(): void {
    this.#at.channel.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.close();
    return Promise.resolve();
  }

  [inspect.custom](): string {
    return `Memory of ${inspect(this.namespacePath)}`;
  }
}
