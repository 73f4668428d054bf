/** How a client is made. */

import { Binding, positive } from "./binding.js";
import type { TraceSource } from "./binding.js";
import { Channel } from "./channel.js";
import { TLS_KEYS, channelCredentials, checkToken, tlsChannelOptions } from "./credentials.js";
import type { TlsOptions, TokenSource } from "./credentials.js";
import { Memory } from "./memory.js";
import { known } from "./options.js";
import type { Keys } from "./options.js";
import { namespaceOf, targetOf } from "./target.js";

const DEFAULT_TIMEOUT_MS = 10_000;
const MESSAGE_LIMIT_BYTES = 4 * 1024 * 1024;

/** Where a client connects, and what holds for all of its calls. */
export interface ConnectOptions {
  /** `host:port` or `unix:/path`; by default MEMSLOT_TARGET, else 127.0.0.1:7420. */
  readonly target?: string | undefined;
  /** By default MEMSLOT_NAMESPACE, else `default`. See {@link namespace} for making one from any strings. */
  readonly namespace?: string | undefined;
  /** Bounds each call, retries included: 10,000 by default; Infinity waits without bound. */
  readonly timeoutMs?: number | undefined;
  /** Calls wait for a sidecar that is still starting, within the timeout. */
  readonly waitForReady?: boolean | undefined;
  /** Bounds requests and replies, as the server's setting of that name does: 4 MiB by default. */
  readonly messageLimitBytes?: number | undefined;
  /** TLS; plaintext without it. */
  readonly tls?: TlsOptions | undefined;
  /** Sent as `authorization: Bearer`. Over plaintext only to a loopback address or a Unix socket. */
  readonly token?: TokenSource | undefined;
  /** Who asks, as the audit shall tell it: recorded as said. */
  readonly agent?: string | undefined;
  readonly conversation?: string | undefined;
  readonly turn?: string | undefined;
  /** W3C trace context, or a function that gives the present one. */
  readonly traceparent?: TraceSource | undefined;
}

const CONNECT_KEYS = {
  target: true,
  namespace: true,
  timeoutMs: true,
  waitForReady: true,
  messageLimitBytes: true,
  tls: true,
  token: true,
  agent: true,
  conversation: true,
  turn: true,
  traceparent: true,
} satisfies Keys<ConnectOptions>;

/**
 * Returns a client of the sidecar at a target; nothing is connected before the first call.
 *
 * Throws TypeError or RangeError for a key that is unknown and a target or timeout that cannot work, Error for a token that would go over plaintext to another
 * machine.
 */
export function connect(options: ConnectOptions = {}): Memory {
  const {
    agent,
    conversation,
    turn,
    traceparent,
    tls,
    token,
    timeoutMs = DEFAULT_TIMEOUT_MS,
  } = known(options, CONNECT_KEYS);
  if (tls !== undefined) known(tls, TLS_KEYS);
  const target = targetOf(options.target);
  checkToken(token, tls, target);
  const channel = new Channel({
    target,
    credentials: channelCredentials(tls),
    messageLimitBytes: limitOf(options.messageLimitBytes ?? MESSAGE_LIMIT_BYTES),
    waitForReady: options.waitForReady ?? false,
    options: tlsChannelOptions(tls),
  });
  const said = { agent, conversation, turn, traceparent };
  return new Memory(new Binding(channel, namespaceOf(options.namespace), said, positive(timeoutMs), token));
}

function limitOf(bytes: number): number {
  if (!Number.isSafeInteger(bytes) || bytes < 1) throw new RangeError("messageLimitBytes is a whole number above 0");
  return bytes;
}
