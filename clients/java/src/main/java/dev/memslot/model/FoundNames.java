package dev.memslot.model;

import java.util.List;

/**
 * Names that an action's lookup or search found.
 *
 * @param names best first
 * @param more whether there are others
 */
public record FoundNames(List<String> names, boolean more) {}
