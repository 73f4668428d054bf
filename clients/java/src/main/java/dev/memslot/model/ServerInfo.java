package dev.memslot.model;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;

/**
 * Which server this is, its limits, and the embedders that it has; a limit that is empty does not
 * exist.
 *
 * @param version its version
 * @param storeId the store's id
 * @param instanceId the process's id
 * @param store the kind of store
 * @param messageLimitBytes how large a message may be
 * @param namespaceDefaults what holds where a namespace says nothing
 * @param namespaceLimit how many namespaces there may be
 * @param namespaceLimitPerRoot how many below one root
 * @param storeLimitBytes how large the store may grow
 * @param storeLimitBytesPerRoot how large one root may grow
 * @param rankHalfLife half-life of an access in the ranking
 * @param startTime when the process started
 * @param revision the store's revision
 * @param embedders what makes vectors here
 * @param storeWarning why what is stored will be gone sooner than one may think; empty when nothing
 *     tells of that
 */
public record ServerInfo(
    String version,
    String storeId,
    String instanceId,
    String store,
    long messageLimitBytes,
    NamespaceSettings namespaceDefaults,
    OptionalLong namespaceLimit,
    OptionalLong namespaceLimitPerRoot,
    OptionalLong storeLimitBytes,
    OptionalLong storeLimitBytesPerRoot,
    Duration rankHalfLife,
    Instant startTime,
    long revision,
    List<String> embedders,
    String storeWarning) {}
