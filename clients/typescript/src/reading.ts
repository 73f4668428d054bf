/** One slot: read, describe, forget, update its information, and its versions. */

import { CALL_KEYS, MUTATION_KEYS } from "./binding.js";
import type { Binding, CallOptions, MutationOptions } from "./binding.js";
import * as decode from "./decode.js";
import { EXPIRY_KEYS, attributes, expiry, initOf, optional, precondition, strings } from "./encode.js";
import type { Expiry } from "./encode.js";
import type { Keys } from "./options.js";
import { ask, mutate, newRequestId } from "./pending.js";
import { VersionInfo } from "./results.js";
import type { Receipt, Slot, SlotInfo, Summary } from "./results.js";
import { statusError } from "./status.js";
import { wellFormed } from "./utf8.js";
import * as pb from "./v1.js";
import type { WriteDetails } from "./writing.js";

const VERSIONS_PAGE = 1000;
const { method } = pb.SlotService;

/** Whether summaries are wanted. */
export interface DescribeOptions extends CallOptions {
  /** Bring the summary where one is at hand. */
  readonly summaries?: boolean | undefined;
}

export const DESCRIBE_KEYS = { ...CALL_KEYS, summaries: true } satisfies Keys<DescribeOptions>;

/** What may be said when a slot is forgotten. */
export interface ForgetDetails {
  /** Only if the slot is at this revision; otherwise RevisionMismatch. */
  readonly ifRevision?: bigint | undefined;
  /** Answer when the bytes of the body are in no file of the store (backups aside). */
  readonly erase?: boolean | undefined;
}

export const FORGET_DETAIL_KEYS = { ifRevision: true, erase: true } satisfies Keys<ForgetDetails>;

/** How a slot is forgotten. */
export interface ForgetOptions extends ForgetDetails, MutationOptions {}

export const FORGET_KEYS = { ...FORGET_DETAIL_KEYS, ...MUTATION_KEYS } satisfies Keys<ForgetOptions>;

/** What is to be changed of a slot. What is left out stays; an empty string, array or object clears. */
export interface InfoChanges
  extends Expiry, Pick<WriteDetails, "contentType" | "description" | "taskType" | "tags" | "attributes"> {
  readonly importance?: number | undefined;
  readonly pinned?: boolean | undefined;
  readonly origin?: WriteDetails["origin"];
  /** Only if the slot is at this revision; otherwise RevisionMismatch. */
  readonly ifRevision?: bigint | undefined;
}

export const INFO_KEYS = {
  ...EXPIRY_KEYS,
  contentType: true,
  description: true,
  taskType: true,
  tags: true,
  attributes: true,
  importance: true,
  pinned: true,
  origin: true,
  ifRevision: true,
} satisfies Keys<InfoChanges>;

export async function read(at: Binding, name: string, options: CallOptions): Promise<Slot> {
  const request = { namespace: at.namespace, name: wellFormed(name, "name") };
  return decode.slot((await ask(at, method.read, request, options)).slot);
}

export async function readIfChanged(
  at: Binding,
  name: string,
  ifRevisionNot: bigint,
  options: CallOptions,
): Promise<Slot | undefined> {
  const request = { namespace: at.namespace, name: wellFormed(name, "name"), ifRevisionNot };
  const reply = await ask(at, method.read, request, options);
  return reply.notModified ? undefined : decode.slot(reply.slot);
}

export async function summary(at: Binding, name: string, options: CallOptions): Promise<Summary | undefined> {
  const request = { namespace: at.namespace, name: wellFormed(name, "name"), view: pb.ReadView.SUMMARY };
  const reply = await ask(at, method.read, request, options);
  return reply.summary === undefined ? undefined : decode.summary(reply.summary);
}

export async function describe(at: Binding, name: string, options: DescribeOptions): Promise<SlotInfo> {
  const { summaries = false } = options;
  const request = { namespace: at.namespace, names: [wellFormed(name, "name")], summaries };
  const [found] = (await ask(at, method.describe, request, options)).results;
  if (found?.result.case === "status") throw statusError(found.result.value);
  return found?.result.case === "info" ? decode.slotInfo(found.result.value, found.summary) : decode.missing("results");
}

export function forgetting(name: string, { ifRevision, erase = false }: ForgetDetails) {
  return initOf(pb.ForgetRequestSchema, {
    name: wellFormed(name, "name"),
    erase,
    precondition: precondition({ ifRevision }),
  });
}

export function forget(at: Binding, name: string, options: ForgetOptions): Promise<Receipt> {
  const request = {
    ...forgetting(name, options),
    namespace: at.namespace,
    requestId: options.requestId ?? newRequestId(),
  };
  return mutate(at, method.forget, request, (reply) => decode.receipt(reply.receipt), options);
}

export function updateInfo(
  at: Binding,
  name: string,
  changes: InfoChanges,
  options: MutationOptions,
): Promise<Receipt> {
  const { contentType, description, taskType, tags, importance, pinned, origin } = changes;
  const info = initOf(pb.SlotInfoSchema, {
    contentType,
    description,
    taskType,
    tags: tags === undefined ? undefined : strings(tags, "tags"),
    attributes: changes.attributes === undefined ? undefined : attributes(changes.attributes),
    importance,
    pinned,
    origin: optional(pb.Origin, origin, "origin"),
  });
  const paths = Object.keys(info).map((field) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  const request = initOf(pb.UpdateInfoRequestSchema, {
    namespace: at.namespace,
    name: wellFormed(name, "name"),
    info,
    updateMask: { paths },
    expiry: expiry(changes),
    precondition: precondition({ ifRevision: changes.ifRevision }),
    requestId: options.requestId ?? newRequestId(),
  });
  return mutate(at, method.updateInfo, request, (reply) => decode.receipt(reply.receipt), options);
}

export async function versions(at: Binding, name: string, options: CallOptions): Promise<VersionInfo[]> {
  const found: VersionInfo[] = [];
  const request = { namespace: at.namespace, name: wellFormed(name, "name"), pageSize: VERSIONS_PAGE, pageToken: "" };
  do {
    const reply = await ask(at, method.listVersions, request, options);
    found.push(...reply.versions.map(version));
    request.pageToken = reply.nextPageToken;
  } while (request.pageToken !== "");
  return found;
}

export async function readVersion(
  at: Binding,
  name: string,
  versionRevision: bigint,
  options: CallOptions,
): Promise<Slot> {
  const request = { namespace: at.namespace, name: wellFormed(name, "name"), versionRevision };
  return decode.slot((await ask(at, method.readVersion, request, options)).slot);
}

function version(message: pb.VersionInfo): VersionInfo {
  const { revision, version: number, contentType, bodyBytes, updateTime, writtenBy, origin } = message;
  return new VersionInfo({
    revision,
    version: number,
    contentType,
    bodyBytes: Number(bodyBytes),
    updateTime: decode.moment(updateTime) ?? decode.missing("update_time"),
    writtenBy,
    origin: decode.nameIn(pb.Origin, origin),
  });
}
