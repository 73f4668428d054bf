package dev.memslot.model;

/**
 * How much of something there is.
 *
 * @param characters Unicode code points
 * @param tokens counted by the counter that stands beside it
 */
public record Amount(long characters, long tokens) {}
