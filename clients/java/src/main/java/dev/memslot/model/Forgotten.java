package dev.memslot.model;

/**
 * How many slots were forgotten.
 *
 * @param count how many
 * @param moreRemain whether slots that match remain
 * @param revision the store's revision that contains it
 */
public record Forgotten(long count, boolean moreRemain, long revision) {}
