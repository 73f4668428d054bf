/** Many slots: look up, describe and read several, forget what matches. */

import { CALL_KEYS, MUTATION_KEYS } from "./binding.js";
import type { Binding, CallOptions, MutationOptions } from "./binding.js";
import * as decode from "./decode.js";
import { initOf, member, strings } from "./encode.js";
import { ReplyBudget, SlotNotFound } from "./errors.js";
import type { Keys } from "./options.js";
import { ask, mutate, newRequestId } from "./pending.js";
import { Entry, Forgotten, LookupPage } from "./results.js";
import type { Slot, SlotInfo } from "./results.js";
import { statusError } from "./status.js";
import { wellFormed } from "./utf8.js";
import * as pb from "./v1.js";
import { filterOf } from "./where.js";
import type { Condition } from "./where.js";

const NAMES_LIMIT = 1000;
const { method } = pb.SlotService;

/** In which order a lookup lists. */
export type Order = Exclude<keyof typeof pb.LookupOrder, "UNSPECIFIED">;

/** What a lookup looks for. */
export interface LookupQuery extends CallOptions {
  /** Only slots for which this holds. */
  readonly where?: Condition | undefined;
  /** Also in the namespaces below. */
  readonly recursive?: boolean | undefined;
  /** Bring everything but the body. */
  readonly info?: boolean | undefined;
  /** RANK by default. In the orders NAME and CREATED each slot that lives throughout comes exactly once. */
  readonly order?: Order | undefined;
  readonly reverse?: boolean | undefined;
  /** How many come with one call; 50 by default, at most 1000. */
  readonly pageSize?: number | undefined;
}

export const QUERY_KEYS = {
  ...CALL_KEYS,
  where: true,
  recursive: true,
  info: true,
  order: true,
  reverse: true,
  pageSize: true,
} satisfies Keys<LookupQuery>;

/** A lookup of all pages. */
export interface LookupOptions extends LookupQuery {
  /** At most so many slots. */
  readonly limit?: number | undefined;
}

export const LOOKUP_KEYS = { ...QUERY_KEYS, limit: true } satisfies Keys<LookupOptions>;

/** A lookup of one page. */
export interface LookupPageOptions extends LookupQuery {
  /** `nextPageToken` of the page before, of the very same query. */
  readonly pageToken?: string | undefined;
  /** Upper bound of the reply; 4,000,000 by default. */
  readonly maxBytes?: number | undefined;
  /** Count all matches too, to 10,000. */
  readonly total?: boolean | undefined;
}

export const LOOKUP_PAGE_KEYS = {
  ...QUERY_KEYS,
  pageToken: true,
  maxBytes: true,
  total: true,
} satisfies Keys<LookupPageOptions>;

/** Which slots to forget, and how. Exactly one of `where` and `everything` is given. */
export interface ForgetMatchingOptions extends MutationOptions {
  readonly where?: Condition | undefined;
  readonly everything?: boolean | undefined;
  /** Also in the namespaces below. */
  readonly recursive?: boolean | undefined;
  /** More matches are TooManyMatches, unless `allowPartial`. */
  readonly maximum?: number | undefined;
  /** With `maximum`: forget that many, lowest rank first. */
  readonly allowPartial?: boolean | undefined;
  /** As in `forget`. */
  readonly erase?: boolean | undefined;
}

export const FORGET_MATCHING_KEYS = {
  ...MUTATION_KEYS,
  where: true,
  everything: true,
  recursive: true,
  maximum: true,
  allowPartial: true,
  erase: true,
} satisfies Keys<ForgetMatchingOptions>;

export async function lookupPage(at: Binding, prefix: string, options: LookupPageOptions): Promise<LookupPage> {
  const { info = false } = options;
  const request = initOf(pb.LookupRequestSchema, {
    namespace: at.namespace,
    namePrefix: wellFormed(prefix, "prefix"),
    filter: filterOf(options.where),
    recursive: options.recursive,
    view: info ? pb.LookupView.INFO : pb.LookupView.NAMES,
    orderBy: member(pb.LookupOrder, options.order ?? "RANK", "order"),
    reverse: options.reverse,
    pageSize: options.pageSize,
    pageToken: options.pageToken,
    maxBytes: options.maxBytes,
    total: options.total,
  });
  const reply = await ask(at, method.lookup, request, options);
  return new LookupPage({
    entries: reply.slots.map((one) => entry(at, one, info)),
    nextPageToken: reply.nextPageToken,
    revision: reply.revision,
    total: reply.total === undefined ? undefined : Number(reply.total),
    totalIsLowerBound: reply.totalIsLowerBound,
  });
}

export async function* lookup(
  at: Binding,
  prefix: string,
  options: LookupOptions,
): AsyncGenerator<Entry, void, undefined> {
  let left = options.limit ?? Infinity;
  if (!(left >= 0)) throw new RangeError(`limit is ${String(left)}: ask for no fewer than 0 slots`);
  let pageToken = "";
  while (left > 0) {
    const { pageSize = 0 } = options;
    const wanted = left === Infinity || (pageSize > 0 && pageSize <= left) ? pageSize : Math.min(left, NAMES_LIMIT);
    const page = await lookupPage(at, prefix, { ...options, pageSize: wanted, pageToken });
    const entries = page.entries.slice(0, left);
    yield* entries;
    left -= entries.length;
    pageToken = page.nextPageToken;
    if (pageToken === "") return;
  }
}

export function describeMany(
  at: Binding,
  names: Iterable<string>,
  options: CallOptions & { readonly summaries?: boolean | undefined },
): Promise<Map<string, SlotInfo>> {
  const { summaries = false } = options;
  return several(names, async (portion) => {
    const { results } = await ask(at, method.describe, { namespace: at.namespace, names: portion, summaries }, options);
    return results.map(({ result, summary }) =>
      result.case === "info" ? decode.slotInfo(result.value, summary) : statusOf(result.value),
    );
  });
}

export function readMany(at: Binding, names: Iterable<string>, options: CallOptions): Promise<Map<string, Slot>> {
  return several(names, async (portion) => {
    const { results } = await ask(at, method.batchRead, { namespace: at.namespace, names: portion }, options);
    return results.map(({ result }) => (result.case === "slot" ? decode.slot(result.value) : statusOf(result.value)));
  });
}

export async function forgetMatching(at: Binding, options: ForgetMatchingOptions): Promise<Forgotten> {
  const { where, everything = false, recursive, maximum, allowPartial, erase } = options;
  if ((where === undefined) !== everything) {
    throw new TypeError("say which slots to forget: either where or everything: true");
  }
  const request = initOf(pb.ForgetMatchingRequestSchema, {
    namespace: at.namespace,
    filter: filterOf(where),
    all: everything,
    recursive,
    max: maximum === undefined ? undefined : BigInt(maximum),
    allowPartial,
    erase,
    requestId: options.requestId ?? newRequestId(),
  });
  const parse = ({ forgotten, moreRemain, revision }: pb.ForgetMatchingResponse): Forgotten =>
    new Forgotten({ count: Number(forgotten), moreRemain, revision });
  return mutate(at, method.forgetMatching, request, parse, options);
}

function entry(at: Binding, message: pb.SlotInfo, withInfo: boolean): Entry {
  const info = withInfo ? decode.slotInfo(message) : undefined;
  return new Entry({ name: message.name, namespace: message.namespace || at.namespace, info });
}

function statusOf(status: pb.DescribeResult["result"]["value"] | pb.BatchReadResult["result"]["value"]): Error {
  return status?.$typeName === "google.rpc.Status" ? statusError(status) : decode.missing("result");
}

/** Asks for names until all were answered: what did not fit into a reply is asked for again, alone where nothing else helps. */
async function several<T extends object>(
  names: Iterable<string>,
  askFor: (portion: string[]) => Promise<(T | Error)[]>,
): Promise<Map<string, T>> {
  const found = new Map<string, T>();
  let waiting = [...new Set(strings(names, "names"))];
  let size = NAMES_LIMIT;
  while (waiting.length > 0) {
    const portion = waiting.slice(0, size);
    const answers = await askFor(portion);
    const again = portion.filter((name, at) => {
      const answer = answers[at] ?? decode.missing("results");
      if (!(answer instanceof Error)) found.set(name, answer);
      else if (answer instanceof ReplyBudget && portion.length > 1) return true;
      else if (!(answer instanceof SlotNotFound)) throw answer;
      return false;
    });
    waiting = [...again, ...waiting.slice(size)];
    size = again.length === portion.length ? 1 : NAMES_LIMIT;
  }
  return found;
}
