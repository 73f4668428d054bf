/** From messages to results. */

import type { Duration, Timestamp } from "@bufbuild/protobuf/wkt";

import { Receipt, Slot, SlotInfo, Summary } from "./results.js";
import type { AttributeValue } from "./results.js";
import * as pb from "./v1.js";
import { copied } from "./values.js";

/** Returns the name of an enum's member; UNSPECIFIED for a number that this client does not know. */
export function nameIn<E extends Record<string, string | number>>(members: E, value: number): Extract<keyof E, string> {
  const reverse = members as unknown as Record<number, string | undefined>;
  return (reverse[value] ?? reverse[0]) as Extract<keyof E, string>;
}

/** Returns a slot's information, with the summary that came beside it. */
export function slotInfo(message: pb.SlotInfo | undefined, beside?: pb.Summary): SlotInfo {
  const info = message ?? missing("info");
  return new SlotInfo({
    name: info.name,
    namespace: info.namespace,
    revision: info.revision,
    version: info.version,
    contentType: info.contentType,
    bodyBytes: Number(info.bodyBytes),
    createTime: moment(info.createTime) ?? missing("create_time"),
    updateTime: moment(info.updateTime) ?? missing("update_time"),
    accessTime: moment(info.accessTime),
    expireTime: moment(info.expireTime),
    description: info.description,
    taskType: info.taskType,
    tags: info.tags,
    attributes: Object.fromEntries(Object.entries(info.attributes).map(([key, value]) => [key, attribute(value)])),
    importance: info.importance,
    rankScore: info.rankScore,
    pinned: info.pinned,
    accessCount: info.accessCount,
    writtenBy: info.writtenBy,
    origin: nameIn(pb.Origin, info.origin),
    hasSummary: info.hasSummary,
    hasVector: info.hasVector,
    summary: beside === undefined ? undefined : summary(beside),
  });
}

/** Returns a slot with its body, in a buffer of its own: as it came it is a part of the reply's, whose other parts it would keep and show. */
export function slot(message: pb.Slot | undefined): Slot {
  const { info, body } = message ?? missing("slot");
  return new Slot(slotInfo(info), copied(body));
}

/** Returns a summary. */
export function summary(message: pb.Summary): Summary {
  const { text, source, origin, revision } = message;
  return new Summary(text, nameIn(pb.SummarySource, source), nameIn(pb.Origin, origin), revision);
}

/** Returns a receipt. */
export function receipt(message: pb.Receipt | undefined): Receipt {
  const { name, outcome, revision, version, previousRevision, expireTime, evicted, warnings } =
    message ?? missing("receipt");
  return new Receipt({
    name,
    outcome: nameIn(pb.Outcome, outcome),
    revision,
    version,
    previousRevision,
    expireTime: moment(expireTime),
    evicted,
    warnings: warnings.map((warning) => nameIn(pb.Warning, warning)),
  });
}

/** Returns a point in time, to the millisecond. */
export function moment(message: Timestamp | undefined): Date | undefined {
  return message === undefined ? undefined : new Date(Number(message.seconds) * 1000 + Math.floor(message.nanos / 1e6));
}

/** Returns a span in milliseconds. */
export function milliseconds(message: Duration | undefined): number | undefined {
  return message === undefined ? undefined : Number(message.seconds) * 1000 + message.nanos / 1e6;
}

/** Throws Error: the reply lacks what the contract promises. */
export function missing(field: string): never {
  throw new Error(`the reply lacks ${field}: is this a memslot sidecar?`);
}

function attribute(message: pb.AttributeValue): AttributeValue {
  return message.kind.value ?? "";
}
