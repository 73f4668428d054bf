package dev.memslot;

import dev.memslot.internal.SlotMessages;
import dev.memslot.internal.Times;
import dev.memslot.model.Attribute;
import dev.memslot.model.Origin;
import dev.memslot.v1.Precondition;
import dev.memslot.v1.UpdateInfoRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * What to change about a slot without touching its body. What is not said stays; an empty text,
 * list or map clears.
 */
public final class InfoOptions {
  private final UpdateInfoRequest.Builder request;

  InfoOptions(String namespace, String name) {
    request = UpdateInfoRequest.newBuilder().setNamespace(namespace).setName(name);
  }

  /** Media type of the body as it is. */
  public InfoOptions contentType(String mediaType) {
    request.getInfoBuilder().setContentType(mediaType);
    return said("content_type");
  }

  /** One line for a model to read, at most 160 characters. */
  public InfoOptions description(String line) {
    request.getInfoBuilder().setDescription(line);
    return said("description");
  }

  /** The kind of work that the slot belongs to. */
  public InfoOptions taskType(String label) {
    request.getInfoBuilder().setTaskType(label);
    return said("task_type");
  }

  /** All its labels. */
  public InfoOptions tags(String... labels) {
    return tags(List.of(labels));
  }

  /** All its labels. */
  public InfoOptions tags(Iterable<String> labels) {
    request.getInfoBuilder().clearTags().addAllTags(labels);
    return said("tags");
  }

  /** All its typed scalars. */
  public InfoOptions attributes(Map<String, Attribute> scalars) {
    request.getInfoBuilder().clearAttributes();
    scalars.forEach(
        (key, value) -> request.getInfoBuilder().putAttributes(key, SlotMessages.message(value)));
    return said("attributes");
  }

  /** What it is worth in the ranking, 0 to 1. */
  public InfoOptions importance(double worth) {
    request.getInfoBuilder().setImportance(worth);
    return said("importance");
  }

  /** Whether it is never evicted. */
  public InfoOptions pinned(boolean never) {
    request.getInfoBuilder().setPinned(never);
    return said("pinned");
  }

  /** Who the body comes from. */
  public InfoOptions origin(Origin who) {
    request.getInfoBuilder().setOriginValue(who.number());
    return said("origin");
  }

  /** How long it lives from now on. */
  public InfoOptions ttl(Duration span) {
    request.setTtl(Times.duration(span));
    return this;
  }

  /** When it expires. */
  public InfoOptions expireTime(Instant time) {
    request.setExpireTime(Times.timestamp(time));
    return this;
  }

  /** It does not expire. */
  public InfoOptions neverExpires() {
    request.setNever(true);
    return this;
  }

  /** Only if the slot is at this revision; otherwise RevisionMismatchException. */
  public InfoOptions ifRevision(long revision) {
    request.setPrecondition(Precondition.newBuilder().setIfRevision(revision));
    return this;
  }

  UpdateInfoRequest request() {
    return request.build();
  }

  private InfoOptions said(String field) {
    if (!request.getUpdateMask().getPathsList().contains(field)) {
      request.getUpdateMaskBuilder().addPaths(field);
    }
    return this;
  }
}
