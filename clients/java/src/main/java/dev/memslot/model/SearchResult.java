package dev.memslot.model;

import java.util.List;

/**
 * The hits of a search, best first, no two of the same slot.
 *
 * @param hits best first
 * @param mode by what was searched
 * @param indexedRevision the revision up to which all that was searched is complete
 * @param degraded why less was searched than was asked for, a sentence each; empty when all is well
 * @param revision the store's revision at the time of the reply
 * @param nextPageToken leads on; empty when there is no more
 */
public record SearchResult(
    List<Hit> hits,
    SearchMode mode,
    long indexedRevision,
    List<String> degraded,
    long revision,
    String nextPageToken) {
  /** The names of the slots that were found, best first. */
  public List<String> names() {
    return hits.stream().map(Hit::name).toList();
  }
}
