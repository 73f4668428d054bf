/** Namespaces: configure, get, list, delete. */

import { CALL_KEYS, MUTATION_KEYS } from "./binding.js";
import type { Binding, CallOptions, MutationOptions } from "./binding.js";
import * as decode from "./decode.js";
import { duration, given, initOf, optional } from "./encode.js";
import { known } from "./options.js";
import type { Keys } from "./options.js";
import { ask, mutate, newRequestId } from "./pending.js";
import { Forgotten } from "./results.js";
import { shown } from "./shown.js";
import * as pb from "./v1.js";

const { method } = pb.NamespaceService;

type Name<E> = Exclude<keyof E, "UNSPECIFIED">;

/** What bounds a namespace, and how its slots are found. An unset setting is inherited, or one that only a newer client knows. */
export interface NamespaceSettings {
  /** How many slots it may hold, at least 1. */
  readonly slotLimit?: number;
  /** How many bytes a body may have. */
  readonly bodyLimitBytes?: number;
  /** How long a slot lives when its writer says nothing. */
  readonly ttlDefaultMs?: number;
  /** How long a slot may live at most. */
  readonly ttlMaxMs?: number;
  /** Whether a read renews the slot's time to live. */
  readonly ttlRefreshOnRead?: boolean;
  /** How many versions are kept, the current one included. */
  readonly versionsKept?: number;
  /** What happens when it is full. */
  readonly overflow?: Name<typeof pb.Overflow>;
  /** Whether each forget erases. */
  readonly eraseOnForget?: boolean;
  /** By what its slots can be found. */
  readonly indexMode?: Name<typeof pb.IndexMode>;
  /** What makes vectors: `none`, or one that the server has. */
  readonly embedder?: string;
  /** What compares vectors. */
  readonly vectorIndex?: Name<typeof pb.VectorIndexKind>;
  /** Of which bodies summaries are made. */
  readonly summaryMode?: Name<typeof pb.SummaryMode>;
  readonly summaryAboveBytes?: number;
  readonly summaryBelowRank?: number;
}

/** Settings to change: what is left out stays, `"inherit"` takes a setting from the namespaces above and the server again. */
export type NamespaceChanges = { readonly [K in keyof NamespaceSettings]: NamespaceSettings[K] | "inherit" };

const SETTING_KEYS = {
  slotLimit: true,
  bodyLimitBytes: true,
  ttlDefaultMs: true,
  ttlMaxMs: true,
  ttlRefreshOnRead: true,
  versionsKept: true,
  overflow: true,
  eraseOnForget: true,
  indexMode: true,
  embedder: true,
  vectorIndex: true,
  summaryMode: true,
  summaryAboveBytes: true,
  summaryBelowRank: true,
} satisfies Keys<NamespaceChanges>;
const UPDATE_KEYS = { ...MUTATION_KEYS, path: true } as const;
const LIST_KEYS = { ...CALL_KEYS, pageSize: true } as const;
const DELETE_KEYS = { ...MUTATION_KEYS, force: true } as const;

/** The fields of {@link NamespaceInfo}. */
export interface NamespaceInfoFields {
  /** Its path. */
  readonly name: string;
  /** What was set in it. */
  readonly settings: NamespaceSettings;
  /** What holds in it. */
  readonly effectiveSettings: NamespaceSettings;
  readonly slotCount: number;
  readonly storedBytes: number;
  readonly createTime: Date;
}

/** A namespace: what was set in it, what holds in it, and its use. */
export class NamespaceInfo extends shown<NamespaceInfoFields>() {}

/** The calls about namespaces, as `memory.namespaces`. A path is by default the client's own. */
export class Namespaces {
  readonly #at: Binding;

  /** @internal */
  constructor(at: Binding) {
    this.#at = at;
  }

  /** Creates or configures a namespace and returns it. Throws InvalidName, InvalidField, SettingAboveCap, StoreFull, OutcomeUnknown. */
  update(
    changes: NamespaceChanges,
    options: MutationOptions & { readonly path?: string | undefined } = {},
  ): Promise<NamespaceInfo> {
    if (typeof changes === "string")
      throw new TypeError("the settings come first, then the path: update({ slotLimit: 100 }, { path })");
    const request = {
      namespace: known(options, UPDATE_KEYS).path ?? this.#at.namespace,
      settings: settingsMessage(known(changes, SETTING_KEYS)),
      updateMask: { paths: Object.keys(given(changes)).map(fieldOf) },
      requestId: options.requestId ?? newRequestId(),
    };
    return mutate(this.#at, method.updateNamespace, request, (reply) => namespaceInfo(reply.namespace), options);
  }

  /** Returns a namespace with its settings and use. Throws NamespaceNotFound. */
  async get(path: string = this.#at.namespace, options: CallOptions = {}): Promise<NamespaceInfo> {
    return namespaceInfo(
      (await ask(this.#at, method.getNamespace, { namespace: path }, known(options, CALL_KEYS))).namespace,
    );
  }

  /** Iterates over the namespaces in the byte order of their paths: all, or `parent` and those below it. Throws InvalidName. */
  async *list(
    parent = "",
    options: CallOptions & { readonly pageSize?: number | undefined } = {},
  ): AsyncGenerator<NamespaceInfo, void, undefined> {
    const request = { parent, pageSize: known(options, LIST_KEYS).pageSize ?? 0, pageToken: "" };
    do {
      const reply = await ask(this.#at, method.listNamespaces, request, options);
      yield* reply.namespaces.map(namespaceInfo);
      request.pageToken = reply.nextPageToken;
    } while (request.pageToken !== "");
  }

  /** Removes a namespace and its settings, with `force` also its slots; those below it stay. Throws NamespaceNotFound, NamespaceNotEmpty. */
  delete(
    path: string = this.#at.namespace,
    options: MutationOptions & { readonly force?: boolean | undefined } = {},
  ): Promise<Forgotten> {
    const { force = false, requestId = newRequestId() } = known(options, DELETE_KEYS);
    const parse = ({ forgotten, revision }: pb.DeleteNamespaceResponse): Forgotten =>
      new Forgotten({ count: Number(forgotten), moreRemain: false, revision });
    return mutate(this.#at, method.deleteNamespace, { namespace: path, force, requestId }, parse, options);
  }
}

/** Returns settings as they are told. */
export function settings(message: pb.NamespaceSettings | undefined): NamespaceSettings {
  if (message === undefined) return {};
  return given({
    slotLimit: number(message.slotLimit),
    bodyLimitBytes: number(message.bodyLimitBytes),
    ttlDefaultMs: decode.milliseconds(message.ttlDefault),
    ttlMaxMs: decode.milliseconds(message.ttlMax),
    ttlRefreshOnRead: message.ttlRefreshOnRead,
    versionsKept: message.versionsKept,
    overflow: chosen(pb.Overflow, message.overflow),
    eraseOnForget: message.eraseOnForget,
    indexMode: chosen(pb.IndexMode, message.indexMode),
    embedder: message.embedder,
    vectorIndex: chosen(pb.VectorIndexKind, message.vectorIndex),
    summaryMode: chosen(pb.SummaryMode, message.summaryMode),
    summaryAboveBytes: number(message.summaryAboveBytes),
    summaryBelowRank: message.summaryBelowRank,
  });
}

function settingsMessage(changes: NamespaceChanges) {
  const set = Object.fromEntries(
    Object.entries(changes).filter(([, value]) => value !== "inherit"),
  ) as NamespaceSettings;
  return initOf(pb.NamespaceSettingsSchema, {
    slotLimit: integer(set.slotLimit),
    bodyLimitBytes: integer(set.bodyLimitBytes),
    ttlDefault: set.ttlDefaultMs === undefined ? undefined : duration(set.ttlDefaultMs, "ttlDefaultMs"),
    ttlMax: set.ttlMaxMs === undefined ? undefined : duration(set.ttlMaxMs, "ttlMaxMs"),
    ttlRefreshOnRead: set.ttlRefreshOnRead,
    versionsKept: set.versionsKept,
    overflow: optional(pb.Overflow, set.overflow, "overflow"),
    eraseOnForget: set.eraseOnForget,
    indexMode: optional(pb.IndexMode, set.indexMode, "indexMode"),
    embedder: set.embedder,
    vectorIndex: optional(pb.VectorIndexKind, set.vectorIndex, "vectorIndex"),
    summaryMode: optional(pb.SummaryMode, set.summaryMode, "summaryMode"),
    summaryAboveBytes: integer(set.summaryAboveBytes),
    summaryBelowRank: set.summaryBelowRank,
  });
}

function namespaceInfo(message: pb.Namespace | undefined): NamespaceInfo {
  const { name, slotCount, storedBytes, createTime, ...rest } = message ?? decode.missing("namespace");
  return new NamespaceInfo({
    name,
    settings: settings(rest.settings),
    effectiveSettings: settings(rest.effectiveSettings),
    slotCount: Number(slotCount),
    storedBytes: Number(storedBytes),
    createTime: decode.moment(createTime) ?? decode.missing("create_time"),
  });
}

/** `ttlMaxMs` is `ttl_max` in the contract. */
function fieldOf(setting: string): string {
  return setting.replace(/Ms$/, "").replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function chosen<E extends Record<string, string | number>>(members: E, value: number): Name<E> | undefined {
  const name: string = decode.nameIn(members, value);
  return name === "UNSPECIFIED" ? undefined : (name as Name<E>);
}

function number(value: bigint | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}

function integer(value: number | undefined): bigint | undefined {
  return value === undefined ? undefined : BigInt(value);
}
