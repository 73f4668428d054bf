/**
 * Conditions on slots, for `lookup`, `search` and `forgetMatching`.
 *
 *     import { where } from "@memslot/client";
 *
 *     where.allOf(where.tags.any("draft", "todo"), where.attribute("step").gt(3), where.not(where.taskType.in("chat")))
 *
 * Every backend evaluates them alike. A missing attribute satisfies only `ne` and `missing()`.
 */

import { inspect } from "node:util";

import { create } from "@bufbuild/protobuf";
import type { MessageInitShape } from "@bufbuild/protobuf";

import { attribute as attributeValue, given, member, timestamp } from "./encode.js";
import type { AttributeValue, Origin } from "./results.js";
import * as pb from "./v1.js";

type Node = NonNullable<MessageInitShape<typeof pb.FilterSchema>["node"]>;
type Operation = NonNullable<MessageInitShape<typeof pb.AttributeConditionSchema>["op"]>;

/** What must hold for a slot. Immutable. */
export class Condition {
  readonly #filter: pb.Filter;

  /** @internal */
  constructor(node: Node) {
    this.#filter = create(pb.FilterSchema, { node });
  }

  /** The condition as a message of the contract. */
  toMessage(): pb.Filter {
    return this.#filter;
  }

  [inspect.custom](): string {
    return `Condition ${inspect(this.#filter.node, { depth: 4 })}`;
  }
}

/** Every one of 1 to 64 conditions holds. */
export function allOf(...conditions: Condition[]): Condition {
  return new Condition({ case: "allOf", value: { filters: conditions.map(messageOf) } });
}

/** At least one of 1 to 64 conditions holds. */
export function anyOf(...conditions: Condition[]): Condition {
  return new Condition({ case: "anyOf", value: { filters: conditions.map(messageOf) } });
}

/** None of 1 to 64 conditions holds. */
export function noneOf(...conditions: Condition[]): Condition {
  return new Condition({ case: "noneOf", value: { filters: conditions.map(messageOf) } });
}

/** The condition does not hold. */
export function not(condition: Condition): Condition {
  return noneOf(condition);
}

/** The slot's name. */
export const name = {
  /** The name starts with `prefix`, in which no character is a wildcard. */
  startsWith: (prefix: string): Condition => new Condition({ case: "namePrefix", value: prefix }),
};

/** The slot's task type; the empty string stands for none. */
export const taskType = {
  /** It is one of 1 to 256 values. */
  in: (...values: string[]): Condition => new Condition({ case: "taskTypeIn", value: { values } }),
};

/** The slot's tags. */
export const tags = {
  /** The slot has at least one of 1 to 256 tags. */
  any: (...values: string[]): Condition => new Condition({ case: "tagsAny", value: { values } }),
  /** The slot has all of 1 to 256 tags. */
  all: (...values: string[]): Condition => new Condition({ case: "tagsAll", value: { values } }),
  /** The slot has none of 1 to 256 tags. */
  none: (...values: string[]): Condition => new Condition({ case: "tagsNone", value: { values } }),
};

/** Who the body comes from, as its writer said. */
export const origin = {
  /** It is one of these; UNSPECIFIED stands for not said. */
  in: (...values: Origin[]): Condition =>
    new Condition({
      case: "originIn",
      value: { values: values.map((value) => member(pb.Origin, value, "each origin")) },
    }),
};

/** When the slot was created. */
export const created = moment("created");
/** When its body or metadata last changed. */
export const updated = moment("updated");
/** When its body was last returned; a slot that was never read does not match. */
export const accessed = moment("accessed");
/** When it ceases to be visible; a slot that never expires does not match. */
export const expires = moment("expires");

/** What the writer said that the slot is worth, 0 to 1. */
export const importance = {
  /** It lies in a range that includes its ends; undefined is no bound. */
  between: (min: number | undefined, max: number | undefined): Condition =>
    new Condition({ case: "importance", value: given({ min, max }) }),
};

/** Size of the body in bytes. */
export const bodyBytes = {
  /** It lies in a range that includes its ends; undefined is no bound. */
  between: (min: number | undefined, max: number | undefined): Condition =>
    new Condition({ case: "bodyBytes", value: given({ min: integer(min), max: integer(max) }) }),
};

/** Conditions on one attribute. A number compares as double, a bigint as 64-bit integer, with each other exactly. */
export class Attribute {
  readonly #key: string;

  constructor(key: string) {
    this.#key = key;
  }

  /** Equal. */
  eq(value: AttributeValue): Condition {
    return this.#compared({ case: "eq", value: attributeValue(value) });
  }

  /** Missing, of another type, or not equal. */
  ne(value: AttributeValue): Condition {
    return this.#compared({ case: "ne", value: attributeValue(value) });
  }

  /** Greater. */
  gt(value: AttributeValue): Condition {
    return this.#compared({ case: "gt", value: attributeValue(value) });
  }

  /** Greater or equal. */
  ge(value: AttributeValue): Condition {
    return this.#compared({ case: "ge", value: attributeValue(value) });
  }

  /** Less. */
  lt(value: AttributeValue): Condition {
    return this.#compared({ case: "lt", value: attributeValue(value) });
  }

  /** Less or equal. */
  le(value: AttributeValue): Condition {
    return this.#compared({ case: "le", value: attributeValue(value) });
  }

  /** Equal to one of 1 to 256 values. */
  in(...values: AttributeValue[]): Condition {
    return this.#compared({ case: "in", value: { values: values.map(attributeValue) } });
  }

  /** The slot has the attribute, whatever its value. */
  exists(): Condition {
    return this.#compared({ case: "exists", value: true });
  }

  /** The slot does not have the attribute. */
  missing(): Condition {
    return this.#compared({ case: "exists", value: false });
  }

  #compared(op: Operation): Condition {
    return new Condition({ case: "attribute", value: { key: this.#key, op } });
  }
}

/** The attribute `key`, to compare. */
export function attribute(key: string): Attribute {
  return new Attribute(key);
}

function moment(field: "created" | "updated" | "accessed" | "expires") {
  const between = (since: Date | undefined, before: Date | undefined): Condition =>
    new Condition({
      case: field,
      value: given({
        from: since === undefined ? undefined : timestamp(since, "since"),
        until: before === undefined ? undefined : timestamp(before, "before"),
      }),
    });
  return {
    /** The time lies at or after `since` and before `before`; undefined is no bound. */
    between,
    /** The time lies at or after this one. */
    since: (time: Date): Condition => between(time, undefined),
    /** The time lies before this one. */
    before: (time: Date): Condition => between(undefined, time),
  };
}

function messageOf(condition: Condition): pb.Filter {
  return condition.toMessage();
}

function integer(value: number | undefined): bigint | undefined {
  return value === undefined ? undefined : BigInt(value);
}

/** Returns the condition as a message, if there is one. Throws TypeError for what is none: an object of the caller's own, say. */
export function filterOf(condition: Condition | undefined): pb.Filter | undefined {
  const given: { toMessage?: unknown } | undefined = condition;
  if (condition === undefined || typeof given?.toMessage === "function") return condition?.toMessage();
  throw new TypeError('a condition is made by where, such as where.name.startsWith("x")');
}
