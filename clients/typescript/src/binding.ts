/** What holds for all calls of a client: its namespace, who asks, and how long to wait. */

import { Metadata } from "@grpc/grpc-js";

import type { Channel, Sent } from "./channel.js";
import { bearer, presentToken } from "./credentials.js";
import type { TokenSource } from "./credentials.js";
import type { Keys } from "./options.js";
import { wellFormed } from "./utf8.js";

const METADATA_LIMIT_BYTES = 4096;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** What may be said of a call. */
export interface CallOptions {
  /** How long to wait, retries included, in milliseconds; Infinity waits without bound. By default the client's. */
  readonly timeoutMs?: number | undefined;
  /** Gives the call up when aborted. */
  readonly signal?: AbortSignal | undefined;
}

export const CALL_KEYS = { timeoutMs: true, signal: true } satisfies Keys<CallOptions>;

/** What may be said of a call that changes something. */
export interface MutationOptions extends CallOptions {
  /** A UUID (by default a fresh one) that makes the call safe to repeat for ten minutes. */
  readonly requestId?: string | undefined;
}

export const MUTATION_KEYS = { ...CALL_KEYS, requestId: true } satisfies Keys<MutationOptions>;

/** W3C trace context: a header's value, or a function that gives the present one. */
export type TraceSource = string | (() => string | undefined);

/** Who asks, as the audit shall tell it: recorded as said, never believed. */
export interface Said {
  readonly agent?: string | undefined;
  readonly conversation?: string | undefined;
  readonly turn?: string | undefined;
  readonly traceparent?: TraceSource | undefined;
}

/** A channel with what calls on it are about. */
export class Binding {
  readonly channel: Channel;
  readonly namespace: string;
  readonly said: Said;
  readonly timeoutMs: number;
  readonly #token: TokenSource | undefined;
  #fixed: Metadata | undefined;

  constructor(channel: Channel, namespace: string, said: Said, timeoutMs: number, token: TokenSource | undefined) {
    this.channel = channel;
    this.namespace = namespace;
    this.said = said;
    this.timeoutMs = timeoutMs;
    this.#token = token;
    const varies = typeof token === "function" || typeof said.traceparent === "function";
    if (!varies) this.#fixed = metadataOf(said, undefined, token);
  }

  /** The same channel, other words. */
  with(change: { namespace?: string; said?: Said }): Binding {
    const { namespace = this.namespace, said = this.said } = change;
    return new Binding(this.channel, namespace, said, this.timeoutMs, this.#token);
  }

  /** What goes beside a request. Throws RangeError for a timeout that is not positive and for more than 4096 bytes of metadata, Unreachable when no token comes in time. */
  async sent(options: CallOptions): Promise<Sent> {
    const timeoutMs = positive(options.timeoutMs ?? this.timeoutMs);
    const deadline = Date.now() + timeoutMs;
    const { signal } = options;
    return { metadata: this.#fixed ?? (await this.#present(timeoutMs, signal)), timeoutMs, deadline, signal };
  }

  async #present(timeoutMs: number, signal: AbortSignal | undefined): Promise<Metadata> {
    const { traceparent } = this.said;
    const trace = typeof traceparent === "function" ? traceparent() : traceparent;
    return metadataOf(this.said, trace, await presentToken(this.#token, timeoutMs, signal));
  }
}

/** Returns a timeout; one that no timer can wait for has no bound. Throws RangeError unless it is a positive number. */
export function positive(timeoutMs: number): number {
  if (typeof timeoutMs !== "number" || !(timeoutMs > 0)) {
    throw new RangeError("a timeout is a positive number of milliseconds; Infinity waits without bound");
  }
  return timeoutMs > LONGEST_TIMER_MS ? Infinity : timeoutMs;
}

function metadataOf(said: Said, trace: string | undefined, token: string | undefined): Metadata {
  const metadata = new Metadata();
  let size = 0;
  const pairs = {
    "memslot-agent": said.agent,
    "memslot-conversation": said.conversation,
    "memslot-turn": said.turn,
    traceparent: trace ?? (typeof said.traceparent === "string" ? said.traceparent : undefined),
  };
  for (const [key, value = ""] of Object.entries(pairs)) {
    if (value === "") continue;
    size += key.length + Buffer.byteLength(wellFormed(value, key));
    // gRPC carries only printable ASCII as text; anything else goes as UTF-8 under the -bin key.
    if (/^[!-~](?:[ -~]*[!-~])?$/.test(value)) metadata.set(key, value);
    else metadata.set(`${key}-bin`, Buffer.from(value));
  }
  if (size > METADATA_LIMIT_BYTES) {
    const told = `agent, conversation, turn and traceparent take ${String(size)} bytes`;
    throw new RangeError(`${told}, at most ${String(METADATA_LIMIT_BYTES)} are sent`);
  }
  if (token !== undefined) metadata.set("authorization", bearer(token));
  return metadata;
}
