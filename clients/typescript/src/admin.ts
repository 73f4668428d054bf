/** The sidecar itself: what it is, and how it does. */

import type { Binding, CallOptions } from "./binding.js";
import * as decode from "./decode.js";
import { settings } from "./namespaces.js";
import type { NamespaceSettings } from "./namespaces.js";
import { ask } from "./pending.js";
import { shown } from "./shown.js";
import * as pb from "./v1.js";

const { method } = pb.AdminService;

/** The fields of {@link ServerInfo}. */
export interface ServerInfoFields {
  readonly version: string;
  /** Identity of the store; new after a restore. */
  readonly storeId: string;
  /** Identity of the process, as in its audit events. */
  readonly instanceId: string;
  /** `sqlite` or `ram`. */
  readonly store: string;
  readonly messageLimitBytes: number;
  /** What holds for a namespace that nobody configured. */
  readonly namespaceDefaults: NamespaceSettings;
  readonly embedders: readonly string[];
  /** Why what is stored will be gone sooner than one may think; empty when nothing tells of that. */
  readonly storeWarning: string;
  readonly startTime: Date;
  readonly revision: bigint;
}

/** Which server this is, and its limits. */
export class ServerInfo extends shown<ServerInfoFields>() {}

/** The fields of {@link Stats}. Sizes are in bytes; counts of events are since the process started. */
export interface StatsFields {
  readonly namespaces: bigint;
  readonly slots: bigint;
  readonly storedBytes: bigint;
  readonly fileBytes: bigint;
  readonly overwritten: bigint;
  readonly evicted: bigint;
  readonly expired: bigint;
  readonly auditWritten: bigint;
  readonly auditDropped: bigint;
  readonly auditQueued: bigint;
  readonly erasePending: boolean;
  /** Calls by `Service/Method` and gRPC code. */
  readonly calls: readonly { readonly method: string; readonly code: string; readonly count: bigint }[];
  readonly uptimeMs: number;
  readonly revision: bigint;
}

/** What is stored, and what was done since the process started. */
export class Stats extends shown<StatsFields>() {}

export async function serverInfo(at: Binding, options: CallOptions): Promise<ServerInfo> {
  const reply = await ask(at, method.getServerInfo, {}, options);
  return new ServerInfo({
    version: reply.version,
    storeId: reply.storeId,
    instanceId: reply.instanceId,
    store: reply.store,
    messageLimitBytes: Number(reply.messageLimitBytes),
    namespaceDefaults: settings(reply.namespaceDefaults),
    embedders: reply.embedders,
    storeWarning: reply.storeWarning,
    startTime: decode.moment(reply.startTime) ?? decode.missing("start_time"),
    revision: reply.revision,
  });
}

export async function stats(at: Binding, options: CallOptions): Promise<Stats> {
  const reply = await ask(at, method.stats, {}, options);
  const { namespaces, slots, storedBytes, fileBytes, overwritten, evicted, expired, erasePending, revision } = reply;
  const { auditWritten, auditDropped, auditQueued } = reply;
  return new Stats({
    namespaces,
    slots,
    storedBytes,
    fileBytes,
    overwritten,
    evicted,
    expired,
    auditWritten,
    auditDropped,
    auditQueued,
    erasePending,
    calls: reply.calls.map(({ method: called, code, count }) => ({ method: called, code, count })),
    uptimeMs: decode.milliseconds(reply.uptime) ?? 0,
    revision,
  });
}
