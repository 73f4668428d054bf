package dev.memslot.model;

import dev.memslot.errors.MemslotException;

/**
 * A slot that was asked for and is not shown.
 *
 * @param name its name
 * @param error why: {@code SlotNotFoundException}, {@code InjectionBudgetException}, {@code
 *     UntrustedOriginException} or {@code NotTextException}
 */
public record LeftOut(String name, MemslotException error) {}
