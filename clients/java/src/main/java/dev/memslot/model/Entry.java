package dev.memslot.model;

import java.util.Optional;

/**
 * A slot that a lookup found.
 *
 * @param name its name
 * @param namespace its namespace
 * @param info everything but the body, where that was asked for
 */
public record Entry(String name, String namespace, Optional<SlotInfo> info) {}
