package dev.memslot.model;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything about a slot but its body.
 *
 * @param name the slot's name
 * @param namespace the namespace that holds it
 * @param revision the token for {@code ifRevision}
 * @param version how many changes it has seen since it was created, from 1
 * @param contentType media type of the body
 * @param bodyBytes size of the body in bytes
 * @param description one line for a model to read, or empty
 * @param taskType the kind of work that it belongs to, or empty
 * @param tags its labels
 * @param attributes typed scalars to filter by
 * @param importance what the writer said that it is worth, 0 to 1
 * @param rankScore higher comes first; comparable only within one reply
 * @param pinned it is never evicted
 * @param accessCount how often its body was returned
 * @param createTime when it was created
 * @param updateTime when body or metadata last changed
 * @param accessTime when the body was last returned; empty: never
 * @param expireTime when it ceases to be visible; empty: never
 * @param writtenBy who wrote it last, as the server knows it
 * @param origin who the body comes from, as its writer says
 * @param hasSummary a summary of the present body is at hand
 * @param hasVector the writer sent a vector with the present body
 * @param summary the summary, where it was asked for and is at hand
 */
public record SlotInfo(
    String name,
    String namespace,
    long revision,
    long version,
    String contentType,
    long bodyBytes,
    String description,
    String taskType,
    List<String> tags,
    Map<String, Attribute> attributes,
    double importance,
    double rankScore,
    boolean pinned,
    long accessCount,
    Instant createTime,
    Instant updateTime,
    Optional<Instant> accessTime,
    Optional<Instant> expireTime,
    String writtenBy,
    Origin origin,
    boolean hasSummary,
    boolean hasVector,
    Optional<Summary> summary) {}
