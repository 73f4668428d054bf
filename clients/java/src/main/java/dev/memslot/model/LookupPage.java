package dev.memslot.model;

import java.util.List;
import java.util.OptionalLong;

/**
 * One page of a lookup.
 *
 * @param entries the slots in order
 * @param nextPageToken leads to the next page; empty on the last
 * @param revision the store's revision at the time of the reply
 * @param total how many slots match, where that was asked for
 * @param totalIsLowerBound there are at least {@code total}
 */
public record LookupPage(
    List<Entry> entries,
    String nextPageToken,
    long revision,
    OptionalLong total,
    boolean totalIsLowerBound) {}
