/** Finding slots by words, by meaning, or both. */

import type { MessageInitShape } from "@bufbuild/protobuf";

import { CALL_KEYS } from "./binding.js";
import type { Binding, CallOptions } from "./binding.js";
import * as decode from "./decode.js";
import { initOf, member } from "./encode.js";
import type { Keys } from "./options.js";
import { ask } from "./pending.js";
import { Hit, SearchResult } from "./results.js";
import type { Committed, Receipt, SearchMode } from "./results.js";
import { wellFormed } from "./utf8.js";
import * as pb from "./v1.js";
import { filterOf } from "./where.js";
import type { Condition } from "./where.js";
import { vectorOf } from "./writing.js";

const PAGE_LIMIT = 100;

/** What a search looks for. */
export interface SearchOptions extends CallOptions {
  /** A vector, which takes the place of the one that the namespace's embedder makes of the text. */
  readonly vector?: Iterable<number> | undefined;
  /** AUTO by default. */
  readonly mode?: Exclude<SearchMode, "UNSPECIFIED"> | undefined;
  /** Only slots for which this holds. */
  readonly where?: Condition | undefined;
  /** At most so many hits: 10 by default. A call brings at most 100, a search 1000. */
  readonly limit?: number | undefined;
  /** Wait until the index contains this revision, or that of a receipt, vectors included. */
  readonly minRevision?: bigint | Receipt | Committed | undefined;
  /** How much slots that were written next to each other lend each other of their score: 0 to 1; 0.5 suits conversations. */
  readonly neighborWeight?: number | undefined;
  /** Bring everything but the body. */
  readonly info?: boolean | undefined;
  /** The same, and the summary where one is at hand. */
  readonly summaries?: boolean | undefined;
  /** `nextPageToken` of a search with the same arguments. */
  readonly pageToken?: string | undefined;
}

export const SEARCH_KEYS = {
  ...CALL_KEYS,
  vector: true,
  mode: true,
  where: true,
  limit: true,
  minRevision: true,
  neighborWeight: true,
  info: true,
  summaries: true,
  pageToken: true,
} satisfies Keys<SearchOptions>;

export async function search(at: Binding, text: string, options: SearchOptions): Promise<SearchResult> {
  const { vector, limit = 10, summaries = false, info = false, minRevision } = options;
  if (wellFormed(text, "text") === "" && vector === undefined) {
    throw new TypeError("say what to look for: a text, a vector, or both");
  }
  if (limit < 1) throw new RangeError(`limit is ${String(limit)}: ask for one hit at least`);
  const request = initOf(pb.SearchRequestSchema, {
    namespace: at.namespace,
    text,
    vector: vector === undefined ? undefined : vectorOf(vector),
    mode: member(pb.SearchMode, options.mode ?? "AUTO", "mode"),
    filter: filterOf(options.where),
    minRevision: typeof minRevision === "object" ? minRevision.revision : minRevision,
    view: summaries ? pb.SearchView.SUMMARY : info ? pb.SearchView.INFO : pb.SearchView.NAMES,
    neighborWeight: options.neighborWeight,
  });
  return pages(at, request, options.pageToken ?? "", limit, options);
}

/** Several pages as one: complete as far as the least complete of them. */
async function pages(
  at: Binding,
  query: MessageInitShape<typeof pb.SearchRequestSchema>,
  begin: string,
  limit: number,
  options: CallOptions,
): Promise<SearchResult> {
  const hits = new Map<string, Hit>();
  const degraded = new Set<string>();
  let indexedRevision: bigint | undefined;
  for (let pageToken = begin; ;) {
    const request = { ...query, pageToken, limit: Math.min(limit - hits.size, PAGE_LIMIT) };
    const reply = await ask(at, pb.SlotService.method.search, request, options);
    for (const one of reply.hits) if (!hits.has(one.name)) hits.set(one.name, hit(one));
    for (const why of reply.degraded) degraded.add(why);
    const { revision, nextPageToken } = reply;
    if (indexedRevision === undefined || reply.indexedRevision < indexedRevision)
      indexedRevision = reply.indexedRevision;
    if (hits.size >= limit || reply.hits.length === 0 || nextPageToken === "") {
      const mode = decode.nameIn(pb.SearchMode, reply.mode);
      const found = { mode, indexedRevision, degraded: [...degraded], revision, nextPageToken };
      return new SearchResult({ hits: [...hits.values()], ...found });
    }
    pageToken = nextPageToken;
  }
}

function hit({ name, score, matchedBy, info, summary }: pb.SearchHit): Hit {
  return new Hit({
    name,
    score,
    matchedBy: matchedBy.map((match) => decode.nameIn(pb.Match, match)),
    info: info === undefined ? undefined : decode.slotInfo(info, summary),
  });
}
