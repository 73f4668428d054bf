/**
 * The Java client of memslot, a memory sidecar for LLM agents. {@link dev.memslot.MemslotClient} is
 * the connection, {@link dev.memslot.Memory} the slots of one namespace.
 *
 * <p>Nothing is null unless it is marked {@code @Nullable} (JSpecify); what may be missing is an
 * {@link java.util.Optional}. No log, exception or printed form holds a body.
 */
@NullMarked
package dev.memslot;

import org.jspecify.annotations.NullMarked;
