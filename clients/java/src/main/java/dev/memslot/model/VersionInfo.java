package dev.memslot.model;

import java.time.Instant;

/**
 * A kept version of a slot, without its body.
 *
 * @param revision the revision that made it
 * @param version its number, from 1
 * @param contentType media type of its body
 * @param bodyBytes size of its body
 * @param updateTime when it was written
 * @param writtenBy who wrote it
 * @param origin who its body comes from
 */
public record VersionInfo(
    long revision,
    long version,
    String contentType,
    long bodyBytes,
    Instant updateTime,
    String writtenBy,
    Origin origin) {}
