package dev.memslot.model;

import java.util.List;
import java.util.Optional;

/**
 * A slot that a search found.
 *
 * @param name its name
 * @param score higher fits better; comparable only within one search
 * @param matchedBy what led to it
 * @param info everything but the body, where that was asked for
 */
public record Hit(String name, double score, List<Match> matchedBy, Optional<SlotInfo> info) {}
