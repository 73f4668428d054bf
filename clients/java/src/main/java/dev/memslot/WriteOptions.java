package dev.memslot;

import com.google.protobuf.ByteString;
import dev.memslot.internal.SlotMessages;
import dev.memslot.internal.Times;
import dev.memslot.model.Attribute;
import dev.memslot.model.Origin;
import dev.memslot.model.Value;
import dev.memslot.v1.Precondition;
import dev.memslot.v1.WriteMode;
import dev.memslot.v1.WriteRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;

/** What may be said about a slot when it is written. What is left out keeps what the slot has. */
public final class WriteOptions {
  private final WriteRequest.Builder request;

  private WriteOptions(String name, ByteString body, WriteMode mode) {
    request = WriteRequest.newBuilder().setName(name).setBody(body).setMode(mode);
  }

  /** A request that replaces the body. */
  static WriteRequest.Builder replacing(String name, Value value, Consumer<WriteOptions> details) {
    return made(name, value, WriteMode.WRITE_MODE_REPLACE, value.contentType(), details);
  }

  /** A request that adds to the body; text and bytes take the slot's type. */
  static WriteRequest.Builder appending(String name, Value value, Consumer<WriteOptions> details) {
    return made(name, value, WriteMode.WRITE_MODE_APPEND, "", details);
  }

  /** A request that patches the body. */
  static WriteRequest.Builder patching(String name, Value value, Consumer<WriteOptions> details) {
    return made(name, value, WriteMode.WRITE_MODE_MERGE_PATCH, "", details);
  }

  private static WriteRequest.Builder made(
      String name,
      Value value,
      WriteMode mode,
      String contentType,
      Consumer<WriteOptions> details) {
    WriteOptions options =
        new WriteOptions(name, value.byteString(), mode).contentType(contentType);
    details.accept(options);
    return options.request;
  }

  /** Media type, instead of the one that follows from the value. */
  public WriteOptions contentType(String mediaType) {
    request.setContentType(mediaType);
    return this;
  }

  /** One line for a model to read, at most 160 characters. */
  public WriteOptions description(String line) {
    request.setDescription(line);
    return this;
  }

  /** The kind of work that the slot belongs to, at most 128 bytes. */
  public WriteOptions taskType(String label) {
    request.setTaskType(label);
    return this;
  }

  /** At most 32 labels of 1 to 128 bytes; none keeps what is there (updateInfo removes). */
  public WriteOptions tags(String... labels) {
    return tags(List.of(labels));
  }

  /** At most 32 labels of 1 to 128 bytes; none keeps what is there (updateInfo removes). */
  public WriteOptions tags(Iterable<String> labels) {
    request.clearTags().addAllTags(labels);
    return this;
  }

  /** At most 32 typed scalars to filter by; none keeps what is there. */
  public WriteOptions attributes(Map<String, Attribute> scalars) {
    request.clearAttributes();
    scalars.forEach((key, value) -> request.putAttributes(key, SlotMessages.message(value)));
    return this;
  }

  /** One more typed scalar to filter by. */
  public WriteOptions attribute(String key, Attribute scalar) {
    request.putAttributes(key, SlotMessages.message(scalar));
    return this;
  }

  /** What the slot is worth in the ranking, 0 to 1. */
  public WriteOptions importance(double worth) {
    request.setImportance(worth);
    return this;
  }

  /** Whether the slot is never evicted. */
  public WriteOptions pinned(boolean never) {
    request.setPinned(never);
    return this;
  }

  /** Who the body comes from. */
  public WriteOptions origin(Origin who) {
    request.setOriginValue(who.number());
    return this;
  }

  /** The body's meaning as 1 to 4096 numbers, of the size of the namespace's other vectors. */
  public WriteOptions vector(float... numbers) {
    request.clearVector();
    for (float number : numbers) {
      request.addVector(number);
    }
    return this;
  }

  /** A summary of the body, at most 2000 characters. It goes with the body. */
  public WriteOptions summary(String text) {
    request.setSummary(text);
    return this;
  }

  /** How long the slot lives. By default as before, or as the namespace says. */
  public WriteOptions ttl(Duration span) {
    request.setTtl(Times.duration(span));
    return this;
  }

  /** When the slot expires. */
  public WriteOptions expireTime(Instant time) {
    request.setExpireTime(Times.timestamp(time));
    return this;
  }

  /** The slot does not expire. */
  public WriteOptions neverExpires() {
    request.setNever(true);
    return this;
  }

  /** Only if there is no such slot; otherwise SlotExistsException. */
  public WriteOptions ifAbsent() {
    request.setPrecondition(Precondition.newBuilder().setIfAbsent(true));
    return this;
  }

  /** Only if the slot is at this revision; otherwise RevisionMismatchException. */
  public WriteOptions ifRevision(long revision) {
    request.setPrecondition(Precondition.newBuilder().setIfRevision(revision));
    return this;
  }

  /** The id under which the call is safe to repeat for ten minutes; by default a fresh one. */
  public WriteOptions requestId(UUID id) {
    request.setRequestId(id.toString());
    return this;
  }
}
