package dev.memslot.model;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What bounds a namespace, and how its slots are found. Empty and UNSPECIFIED are inherited, or,
 * for {@code ttlMax} and {@code summaryBelowRank} among the effective settings, unbounded.
 *
 * @param slotLimit how many slots it may hold
 * @param bodyLimitBytes how large a body may be
 * @param ttlDefault how long a slot lives when its writer does not say
 * @param ttlMax how long a slot may live
 * @param ttlRefreshOnRead whether reading renews a slot's expiry
 * @param versionsKept how many versions of a slot are kept
 * @param overflow what happens when it is full
 * @param eraseOnForget whether forgetting wipes the bytes
 * @param indexMode by what its slots can be found
 * @param embedder what makes vectors
 * @param vectorIndex what compares vectors
 * @param summaryMode of which bodies summaries are made
 * @param summaryAboveBytes from which size on
 * @param summaryBelowRank below which rank
 */
public record NamespaceSettings(
    OptionalLong slotLimit,
    OptionalLong bodyLimitBytes,
    Optional<Duration> ttlDefault,
    Optional<Duration> ttlMax,
    Optional<Boolean> ttlRefreshOnRead,
    OptionalInt versionsKept,
    Overflow overflow,
    Optional<Boolean> eraseOnForget,
    IndexMode indexMode,
    Optional<String> embedder,
    VectorIndexKind vectorIndex,
    SummaryMode summaryMode,
    OptionalLong summaryAboveBytes,
    OptionalDouble summaryBelowRank) {}
