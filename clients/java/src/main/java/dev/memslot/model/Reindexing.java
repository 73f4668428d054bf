package dev.memslot.model;

/**
 * How far the making of an index is.
 *
 * @param done slots done
 * @param total of how many
 * @param namespace the namespace under way
 * @param revision the store's revision that is indexed; 0 until the end
 */
public record Reindexing(long done, long total, String namespace, long revision) {}
