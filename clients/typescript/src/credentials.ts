/** Who the client is, and how the way to the sidecar is kept from others. */

import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

import { credentials } from "@grpc/grpc-js";
import type { ChannelCredentials, ChannelOptions } from "@grpc/grpc-js";

import { Unreachable } from "./errors.js";
import type { Keys } from "./options.js";
import { unlessAborted } from "./signals.js";
import { staysHere } from "./target.js";

/** TLS: whom to trust, and, for mutual TLS, who the client is. Certificates and keys are PEM. */
export interface TlsOptions {
  /** File with the authorities to trust, instead of those of Node. */
  readonly caFile?: string;
  /** The same as bytes. */
  readonly ca?: Uint8Array | string;
  /** File with the client's own certificate. */
  readonly certFile?: string;
  /** File with its key. */
  readonly keyFile?: string;
  /** The name that the server's certificate is for, where it differs from the target's. */
  readonly serverName?: string;
}

export const TLS_KEYS = {
  caFile: true,
  ca: true,
  certFile: true,
  keyFile: true,
  serverName: true,
} satisfies Keys<TlsOptions>;

/** A token, or a function that gives the present one, such as of a file that is renewed. */
export type TokenSource = string | (() => string | Promise<string>);

/** Returns gRPC's credentials. Throws what reading a file throws, and Error for a certificate without its key. */
export function channelCredentials(tls: TlsOptions | undefined): ChannelCredentials {
  if (tls === undefined) return credentials.createInsecure();
  const ca = tls.ca === undefined ? read(tls.caFile) : Buffer.from(tls.ca);
  return credentials.createSsl(ca, read(tls.keyFile), read(tls.certFile));
}

/** Returns the channel options that TLS needs. */
export function tlsChannelOptions(tls: TlsOptions | undefined): ChannelOptions {
  const name = tls?.serverName;
  return name === undefined ? {} : { "grpc.ssl_target_name_override": name, "grpc.default_authority": name };
}

/** Throws Error for a token that others could read on its way. */
export function checkToken(token: TokenSource | undefined, tls: TlsOptions | undefined, target: string): void {
  if (token !== undefined && tls === undefined && !staysHere(target)) {
    throw new Error(
      `a token is not sent to ${target} without TLS: give tls, or connect to a loopback address or a Unix socket`,
    );
  }
}

/** Returns the token of now. Throws Unreachable when none comes in time, the signal's reason when it is aborted first, and what its source throws. */
export async function presentToken(
  token: TokenSource | undefined,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  if (typeof token !== "function") return token;
  signal?.throwIfAborted();
  const found = unlessAborted(Promise.resolve(token()), signal);
  if (timeoutMs === Infinity) return found;
  const over = new AbortController();
  const late = pause(timeoutMs, undefined, { signal: over.signal }).then(() => {
    throw new Unreachable("the client's function gave no token within the timeout: nothing was sent");
  });
  try {
    return await Promise.race([found, late]);
  } finally {
    over.abort();
  }
}

/** Returns the header that carries a token. Throws TypeError, which does not tell it, for what no header can hold. */
export function bearer(token: string): string {
  if (typeof token !== "string" || !/^[!-~]([ -~]*[!-~])?$/.test(token)) {
    throw new TypeError("a token is printable ASCII without spaces around it, such as the line end of a file");
  }
  return `Bearer ${token}`;
}

function read(path: string | undefined): Buffer | null {
  return path === undefined ? null : readFileSync(path);
}
