/** What calls return. Printed or as JSON a slot shows its body's size, never the body. */

import type * as pb from "./v1.js";
import { Shown, shown } from "./shown.js";
import { parseJson } from "./json.js";
import type { JsonValue } from "./json.js";
import { textOf } from "./utf8.js";
import { decodeValue } from "./values.js";
import type { Value } from "./values.js";

/** Who a body comes from, as its writer says. */
export type Origin = keyof typeof pb.Origin;
/** What a mutation did to one slot. */
export type Outcome = keyof typeof pb.Outcome;
/** What a caller should know though the call succeeded. */
export type Warning = keyof typeof pb.Warning;
/** By what a search finds. */
export type SearchMode = keyof typeof pb.SearchMode;
/** What led to a hit. */
export type Match = keyof typeof pb.Match;
/** How a summary was made. */
export type SummarySource = keyof typeof pb.SummarySource;

/** A typed scalar to filter by: a number is a double, a bigint a 64-bit integer. They compare with each other exactly. */
export type AttributeValue = string | number | bigint | boolean;

/** A short text that stands for a body, of exactly one revision of the slot. */
export class Summary extends Shown {
  /** How it was made. */
  readonly source: SummarySource;
  /** The least trusted of what it was made from: what a model wrote about a user's text is the MODEL's. */
  readonly origin: Origin;
  /** The slot's revision that it belongs to. */
  readonly revision: bigint;
  readonly #text: string;

  constructor(text: string, source: SummarySource, origin: Origin, revision: bigint) {
    super();
    this.#text = text;
    this.source = source;
    this.origin = origin;
    this.revision = revision;
  }

  /** The summary. */
  get text(): string {
    return this.#text;
  }
}

/** The fields of {@link SlotInfo}. */
export interface SlotInfoFields {
  readonly name: string;
  /** The namespace that holds the slot. */
  readonly namespace: string;
  /** The token for `ifRevision`. */
  readonly revision: bigint;
  /** How many changes the slot has seen since it was created, from 1. */
  readonly version: bigint;
  /** Media type of the body. */
  readonly contentType: string;
  /** Size of the body in bytes. */
  readonly bodyBytes: number;
  readonly createTime: Date;
  readonly updateTime: Date;
  /** When the body was last returned; undefined when never. */
  readonly accessTime: Date | undefined;
  /** When the slot ceases to be visible; undefined when never. */
  readonly expireTime: Date | undefined;
  readonly description: string;
  readonly taskType: string;
  readonly tags: readonly string[];
  readonly attributes: Readonly<Record<string, AttributeValue>>;
  /** 0 to 1. */
  readonly importance: number;
  /** Higher comes first; comparable only within one reply. */
  readonly rankScore: number;
  readonly pinned: boolean;
  readonly accessCount: bigint;
  /** Who wrote the slot last, set by the server. */
  readonly writtenBy: string;
  readonly origin: Origin;
  /** A summary of the present body is at hand. */
  readonly hasSummary: boolean;
  /** The writer sent a vector with the present body. */
  readonly hasVector: boolean;
  /** The summary, where it was asked for and is at hand. */
  readonly summary: Summary | undefined;
}

/** Everything about a slot but its body. Times are to the millisecond; the messages of `@memslot/client/v1` have nanoseconds. */
export class SlotInfo extends shown<SlotInfoFields>() {}

/** A slot with its body. */
export class Slot extends Shown {
  /** Everything about it but its body. */
  readonly info: SlotInfo;
  readonly #body: Uint8Array;

  constructor(info: SlotInfo, body: Uint8Array) {
    super();
    this.info = info;
    this.#body = body;
  }

  /** Its name. */
  get name(): string {
    return this.info.name;
  }

  /** The token for `ifRevision`. */
  get revision(): bigint {
    return this.info.revision;
  }

  /** Media type of the body. */
  get contentType(): string {
    return this.info.contentType;
  }

  /** The bytes. */
  get body(): Uint8Array {
    return this.#body;
  }

  /**
   * The body by its content type: a string for text/*, the JSON value for JSON types, bytes otherwise. An integer in JSON beyond
   * ±(2^53 - 1) is a bigint.
   */
  get value(): Value {
    return decodeValue(this.#body, this.contentType);
  }

  /** The body as text, whatever its content type. Throws TypeError when it is not UTF-8. */
  get text(): string {
    return textOf(this.#body);
  }

  /** The body as a JSON value, whatever its content type. Throws TypeError or SyntaxError when it is none. */
  get json(): JsonValue {
    return parseJson(this.text);
  }

  override toJSON(): Record<string, unknown> {
    const { name, namespace, revision, contentType } = this.info;
    return { name, namespace, revision: revision.toString(), contentType, bodyBytes: this.#body.length };
  }

  protected override inspected(): Record<string, unknown> {
    return { ...this.toJSON(), revision: this.revision };
  }
}

/** The fields of {@link Receipt}. */
export interface ReceiptFields {
  /** The slot's name as it is stored. */
  readonly name: string;
  /** What happened. */
  readonly outcome: Outcome;
  /** The slot's revision after the call: of its tombstone when it was forgotten, 0 when it was absent. */
  readonly revision: bigint;
  /** The slot's version after the call. */
  readonly version: bigint;
  /** The revision before the call; 0 when there was no slot. */
  readonly previousRevision: bigint;
  /** When the slot ceases to be visible; undefined when never. */
  readonly expireTime: Date | undefined;
  /** Names of slots that made room, lowest rank first. */
  readonly evicted: readonly string[];
  readonly warnings: readonly Warning[];
}

/** What a mutation did to one slot. */
export class Receipt extends shown<ReceiptFields>() {}

/** The fields of {@link VersionInfo}. */
export interface VersionInfoFields {
  /** The revision that made it, for `readVersion`. */
  readonly revision: bigint;
  /** Its number, from 1. */
  readonly version: bigint;
  readonly contentType: string;
  readonly bodyBytes: number;
  readonly updateTime: Date;
  readonly writtenBy: string;
  readonly origin: Origin;
}

/** A kept version of a slot, without its body. */
export class VersionInfo extends shown<VersionInfoFields>() {}

/** The fields of {@link Entry}. */
export interface EntryFields {
  readonly name: string;
  readonly namespace: string;
  /** Everything but the body, where it was asked for. */
  readonly info: SlotInfo | undefined;
}

/** A slot that a lookup found. */
export class Entry extends shown<EntryFields>() {}

/** The fields of {@link LookupPage}. */
export interface LookupPageFields {
  readonly entries: readonly Entry[];
  /** For the next page; empty on the last. */
  readonly nextPageToken: string;
  readonly revision: bigint;
  /** How many slots match, where it was asked for; counted to 10,000. */
  readonly total: number | undefined;
  /** There are at least `total`. */
  readonly totalIsLowerBound: boolean;
}

/** One page of a lookup. */
export class LookupPage extends shown<LookupPageFields>() {}

/** The fields of {@link Forgotten}. */
export interface ForgottenFields {
  readonly count: number;
  /** Whether slots that match remain. */
  readonly moreRemain: boolean;
  readonly revision: bigint;
}

/** How many slots were forgotten. */
export class Forgotten extends shown<ForgottenFields>() {}

/** The fields of {@link Committed}. */
export interface CommittedFields {
  /** One for each operation, in order. */
  readonly receipts: readonly Receipt[];
  /** The one revision of all. */
  readonly revision: bigint;
}

/** The answer to a commit. */
export class Committed extends shown<CommittedFields>() {}

/** The fields of {@link Hit}. */
export interface HitFields {
  readonly name: string;
  /** Higher is better; comparable only within one search. */
  readonly score: number;
  /** What led to it. */
  readonly matchedBy: readonly Match[];
  /** Everything but the body, where infos or summaries were asked for. */
  readonly info: SlotInfo | undefined;
}

/** A slot that a search found. */
export class Hit extends shown<HitFields>() {}

/** The fields of {@link SearchResult}. */
export interface SearchResultFields {
  /** Best first, no two of the same slot. */
  readonly hits: readonly Hit[];
  /** By what was searched. */
  readonly mode: SearchMode;
  /** The revision up to which all that was searched is complete. */
  readonly indexedRevision: bigint;
  /** Why less was searched than was asked for, a sentence each. */
  readonly degraded: readonly string[];
  readonly revision: bigint;
  /** Leads on; empty when there is no more. */
  readonly nextPageToken: string;
}

/** What a search found. Iterating over it gives the hits. */
export class SearchResult extends shown<SearchResultFields>() implements Iterable<Hit> {
  /** The names of the slots that were found, best first. */
  get names(): readonly string[] {
    return this.hits.map((hit) => hit.name);
  }

  [Symbol.iterator](): Iterator<Hit> {
    return this.hits[Symbol.iterator]();
  }
}
