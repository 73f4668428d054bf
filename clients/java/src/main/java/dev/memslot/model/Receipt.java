package dev.memslot.model;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a mutation did to one slot.
 *
 * @param name the slot's name as it is stored
 * @param outcome what happened
 * @param revision the slot's revision after the call; of its tombstone when it was forgotten, 0
 *     when it was absent
 * @param version the slot's version after the call; 0 when there is no slot
 * @param previousRevision the revision before; 0 when there was no slot
 * @param expireTime when it ceases to be visible; empty: never
 * @param evicted names of slots that made room, lowest rank first
 * @param warnings what the caller should know
 */
public record Receipt(
    String name,
    Outcome outcome,
    long revision,
    long version,
    long previousRevision,
    Optional<Instant> expireTime,
    List<String> evicted,
    List<ReceiptWarning> warnings) {}
