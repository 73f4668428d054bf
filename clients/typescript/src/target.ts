/** Where to connect. */

import { lookup } from "node:dns/promises";
import { isIPv6 } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

const DEFAULT_TARGET = "127.0.0.1:7420";
const SOCKET_PATH_LIMIT_BYTES = 107;
const LOOKUP_LIMIT_MS = 5000;

/** A host name that no resolver knows, and the system's code for it. */
export interface UnknownHost {
  readonly host: string;
  readonly code: string;
}

/**
 * Returns where to connect: `target`, else MEMSLOT_TARGET, else 127.0.0.1:7420.
 *
 * Throws TypeError for a web address and for what would be looked up as a host's name, such as an address without its port; RangeError for a socket path
 * above the 107 bytes that the system can take.
 */
export function targetOf(target?: string): string {
  const chosen: unknown = firstOf(target, process.env["MEMSLOT_TARGET"], DEFAULT_TARGET);
  if (typeof chosen !== "string")
    throw new TypeError(`a target is a string, not ${typeof chosen}: write host:port or unix:/path`);
  if (/^(https?|grpc):/i.test(chosen)) throw new TypeError(`${chosen} is a web address: write host:port or unix:/path`);
  const size = Buffer.byteLength(chosen.replace(/^unix:(\/\/)?/, ""));
  if (chosen.startsWith("unix:") && size > SOCKET_PATH_LIMIT_BYTES) {
    const told = `the socket path has ${String(size)} bytes, at most ${String(SOCKET_PATH_LIMIT_BYTES)} work`;
    throw new RangeError(`${told}: choose a shorter one`);
  }
  if (!/^(unix|dns|ipv4|ipv6|xds):/.test(chosen) && !isHostAndPort(chosen))
    throw new TypeError(`${chosen} is no target: write host:port, [address]:port for IPv6, or unix:/path`);
  return chosen;
}

function isHostAndPort(target: string): boolean {
  const port = /^(?:\[[^\]]*\]|[^:/]+):(\d+)$/.exec(target)?.[1];
  return port !== undefined && Number(port) < 65536;
}

/** Returns the namespace that calls are about: `namespace`, else MEMSLOT_NAMESPACE, else `default`. */
export function namespaceOf(namespace?: string): string {
  return firstOf(namespace, process.env["MEMSLOT_NAMESPACE"], "default");
}

/** Whether what is sent to a target stays on this machine: a Unix socket, or an address that is certainly loopback. */
export function staysHere(target: string): boolean {
  if (target.startsWith("unix:")) return true;
  return hostsOf(target).every((host) => host === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host));
}

/** Returns the host of a target that cannot be resolved; undefined when all can, or when no resolver answers before the deadline. */
export async function unknownHost(target: string, deadline: number): Promise<UnknownHost | undefined> {
  if (target.startsWith("unix:")) return undefined;
  const longest = Math.max(0, Math.min(deadline - Date.now(), LOOKUP_LIMIT_MS));
  const failures = Promise.all(hostsOf(target).map(lookupFailure)).then((found) =>
    found.find((one) => one !== undefined),
  );
  return Promise.race([failures, pause(longest, undefined, { ref: false })]);
}

async function lookupFailure(host: string): Promise<UnknownHost | undefined> {
  try {
    await lookup(host);
    return undefined;
  } catch (error) {
    return { host, code: (error as NodeJS.ErrnoException).code ?? "" };
  }
}

function hostsOf(target: string): string[] {
  const addresses = target.replace(/^(?:dns:(?:\/\/[^/]*)?\/*|ipv4:|ipv6:)/, "").split(",");
  return addresses.map((address) => {
    // Without brackets all of it is the address: no port can be told from it.
    const host = isIPv6(address) ? address : address.replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1");
    return host.toLowerCase();
  });
}

function firstOf(...choices: [...(string | undefined)[], string]): string {
  return choices.find((choice) => choice !== undefined && choice !== "") ?? "";
}
