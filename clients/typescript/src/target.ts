/** Where to connect. */

const DEFAULT_TARGET = "127.0.0.1:7420";
const SOCKET_PATH_LIMIT_BYTES = 107;

/**
 * Returns where to connect: `target`, else MEMSLOT_TARGET, else 127.0.0.1:7420.
 *
 * Throws TypeError for a web address, RangeError for a socket path above the 107 bytes that the system can take.
 */
export function targetOf(target?: string): string {
  const chosen = firstOf(target, process.env["MEMSLOT_TARGET"], DEFAULT_TARGET);
  if (/^(https?|grpc):/i.test(chosen)) throw new TypeError(`${chosen} is a web address: write host:port or unix:/path`);
  const size = Buffer.byteLength(chosen.replace(/^unix:(\/\/)?/, ""));
  if (chosen.startsWith("unix:") && size > SOCKET_PATH_LIMIT_BYTES) {
    const told = `the socket path has ${String(size)} bytes, at most ${String(SOCKET_PATH_LIMIT_BYTES)} work`;
    throw new RangeError(`${told}: choose a shorter one`);
  }
  return chosen;
}

/** Returns the namespace that calls are about: `namespace`, else MEMSLOT_NAMESPACE, else `default`. */
export function namespaceOf(namespace?: string): string {
  return firstOf(namespace, process.env["MEMSLOT_NAMESPACE"], "default");
}

/** Whether what is sent to a target stays on this machine: a Unix socket, or an address that is certainly loopback. */
export function staysHere(target: string): boolean {
  if (target.startsWith("unix:")) return true;
  const addresses = target.replace(/^(?:dns:(?:\/\/[^/]*)?\/*|ipv4:|ipv6:)/, "").split(",");
  return addresses.every((address) => {
    const host = address
      .replace(/:\d+$/, "")
      .replace(/^\[(.*)\]$/, "$1")
      .toLowerCase();
    return host === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host);
  });
}

function firstOf(...choices: [...(string | undefined)[], string]): string {
  return choices.find((choice) => choice !== undefined && choice !== "") ?? "";
}
