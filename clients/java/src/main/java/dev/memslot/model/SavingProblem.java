package dev.memslot.model;

import java.util.List;

/**
 * Something that is in the way of a (larger) saving.
 *
 * @param cause what
 * @param text in words, with figures and a remedy
 * @param turns those where it shows
 */
public record SavingProblem(MissingSaving cause, String text, List<String> turns) {}
