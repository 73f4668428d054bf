/** Writing bodies: write, append and patch. */

import type { MessageInitShape } from "@bufbuild/protobuf";

import { MUTATION_KEYS } from "./binding.js";
import type { Binding, MutationOptions } from "./binding.js";
import { receipt } from "./decode.js";
import { CONDITION_KEYS, EXPIRY_KEYS, attributes, expiry, initOf, optional, precondition, strings } from "./encode.js";
import type { Conditions, Expiry } from "./encode.js";
import type { Keys } from "./options.js";
import { mutate, newRequestId } from "./pending.js";
import type { AttributeValue, Origin, Receipt } from "./results.js";
import { wellFormed } from "./utf8.js";
import * as pb from "./v1.js";
import { copied, encodeJson, encodeValue, isBytes } from "./values.js";
import type { Value } from "./values.js";

/** What may be said about a slot when it is written. What is left out keeps what the slot has. */
export interface WriteDetails extends Expiry, Conditions {
  /** Media type, instead of the one that follows from the value. */
  readonly contentType?: string | undefined;
  /** One line for a model to read, at most 160 characters. */
  readonly description?: string | undefined;
  /** The kind of work that the slot belongs to, at most 128 bytes. */
  readonly taskType?: string | undefined;
  /** At most 32 labels of 1 to 128 bytes; none keeps what is there (`updateInfo` removes). */
  readonly tags?: Iterable<string> | undefined;
  /** At most 32 typed scalars to filter by; none keeps what is there. */
  readonly attributes?: Readonly<Record<string, AttributeValue>> | undefined;
  /** 0 to 1: what the slot is worth in the ranking. */
  readonly importance?: number | undefined;
  /** Never evict the slot. */
  readonly pinned?: boolean | undefined;
  /** Who the body comes from. */
  readonly origin?: Origin | undefined;
  /** The body's meaning as 1 to 4096 numbers. It goes with the body. */
  readonly vector?: Iterable<number> | undefined;
  /** A summary of the body, at most 2000 characters. It goes with the body. */
  readonly summary?: string | undefined;
}

export const DETAIL_KEYS = {
  ...EXPIRY_KEYS,
  ...CONDITION_KEYS,
  contentType: true,
  description: true,
  taskType: true,
  tags: true,
  attributes: true,
  importance: true,
  pinned: true,
  origin: true,
  vector: true,
  summary: true,
} satisfies Keys<WriteDetails>;

/** Details of a write, and how it is called. */
export interface WriteOptions extends WriteDetails, MutationOptions {}

export const WRITE_KEYS = { ...DETAIL_KEYS, ...MUTATION_KEYS } satisfies Keys<WriteOptions>;

export type WriteInit = MessageInitShape<typeof pb.WriteRequestSchema>;

/** Returns a request that replaces the body. */
export function replacing(name: string, value: Value, details: WriteDetails): WriteInit {
  const { body, contentType } = encodeValue(value, details.contentType);
  return { ...fields(name, details), body, contentType, mode: pb.WriteMode.REPLACE };
}

/** Returns a request that adds to the body; text and bytes take the slot's type, and an absent slot's from themselves. */
export function appending(name: string, value: Value, details: WriteDetails): WriteInit {
  const { body } = encodeValue(value, details.contentType);
  return { ...fields(name, details), body, mode: pb.WriteMode.APPEND };
}

/** Returns a request that patches the body. */
export function patching(name: string, changes: Value, details: WriteDetails): WriteInit {
  const body = isBytes(changes) ? copied(changes) : encodeJson(changes);
  return { ...fields(name, details), body, mode: pb.WriteMode.MERGE_PATCH };
}

/** Sends a write. */
export function write(at: Binding, request: WriteInit, options: MutationOptions): Promise<Receipt> {
  const message = { ...request, namespace: at.namespace, requestId: options.requestId ?? newRequestId() };
  return mutate(at, pb.SlotService.method.write, message, (reply) => receipt(reply.receipt), options);
}

function fields(name: string, details: WriteDetails): WriteInit {
  const { contentType, description, taskType, tags, importance, pinned, origin, summary } = details;
  return initOf(pb.WriteRequestSchema, {
    name: wellFormed(name, "name"),
    contentType,
    description,
    taskType,
    tags: tags === undefined ? undefined : strings(tags, "tags"),
    attributes: details.attributes === undefined ? undefined : attributes(details.attributes),
    importance,
    pinned,
    origin: optional(pb.Origin, origin, "origin"),
    vector: details.vector === undefined ? undefined : vectorOf(details.vector),
    summary,
    expiry: expiry(details),
    precondition: precondition(details),
  });
}

/** Returns a vector. Throws TypeError for a text, RangeError when it is empty. */
export function vectorOf(numbers: Iterable<number>): number[] {
  if (typeof numbers === "string") throw new TypeError("vector is several numbers");
  const made = Array.from(numbers);
  if (made.length === 0) throw new RangeError("vector is empty");
  return made;
}
