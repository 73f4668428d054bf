package dev.memslot.model;

import java.time.Instant;

/**
 * A namespace: what was set in it, what holds in it, and its use.
 *
 * @param name its path
 * @param settings what was set in it
 * @param effectiveSettings what holds in it
 * @param slotCount how many slots it holds
 * @param storedBytes how much it stores
 * @param createTime when it was created
 */
public record NamespaceInfo(
    String name,
    NamespaceSettings settings,
    NamespaceSettings effectiveSettings,
    long slotCount,
    long storedBytes,
    Instant createTime) {}
