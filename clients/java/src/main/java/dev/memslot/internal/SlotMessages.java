package dev.memslot.internal;

import dev.memslot.model.Attribute;
import dev.memslot.model.Committed;
import dev.memslot.model.Entry;
import dev.memslot.model.Forgotten;
import dev.memslot.model.Hit;
import dev.memslot.model.LookupPage;
import dev.memslot.model.Match;
import dev.memslot.model.Origin;
import dev.memslot.model.Outcome;
import dev.memslot.model.Receipt;
import dev.memslot.model.ReceiptWarning;
import dev.memslot.model.SearchMode;
import dev.memslot.model.SearchResult;
import dev.memslot.model.Slot;
import dev.memslot.model.SlotInfo;
import dev.memslot.model.Summary;
import dev.memslot.model.SummarySource;
import dev.memslot.model.Value;
import dev.memslot.model.VersionInfo;
import dev.memslot.v1.AttributeValue;
import dev.memslot.v1.CommitResponse;
import dev.memslot.v1.DescribeResult;
import dev.memslot.v1.ForgetMatchingResponse;
import dev.memslot.v1.LookupResponse;
import dev.memslot.v1.SearchHit;
import dev.memslot.v1.SearchResponse;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** From messages about slots to values. */
public final class SlotMessages {
  private SlotMessages() {}

  /** A slot with its body. */
  public static Slot slot(dev.memslot.v1.Slot message) {
    SlotInfo info = info(message.getInfo(), Optional.empty());
    return new Slot(info, Value.of(message.getBody(), info.contentType()));
  }

  /** Everything about a slot but its body, with the summary that came beside it. */
  public static SlotInfo info(dev.memslot.v1.SlotInfo message, Optional<Summary> summary) {
    Map<String, Attribute> attributes = new LinkedHashMap<>();
    message.getAttributesMap().forEach((key, value) -> attributes.put(key, attribute(value)));
    return new SlotInfo(
        message.getName(),
        message.getNamespace(),
        message.getRevision(),
        message.getVersion(),
        message.getContentType(),
        message.getBodyBytes(),
        message.getDescription(),
        message.getTaskType(),
        List.copyOf(message.getTagsList()),
        Collections.unmodifiableMap(attributes),
        message.getImportance(),
        message.getRankScore(),
        message.getPinned(),
        message.getAccessCount(),
        Times.instant(message.getCreateTime()),
        Times.instant(message.getUpdateTime()),
        message.hasAccessTime()
            ? Optional.of(Times.instant(message.getAccessTime()))
            : Optional.empty(),
        message.hasExpireTime()
            ? Optional.of(Times.instant(message.getExpireTime()))
            : Optional.empty(),
        message.getWrittenBy(),
        Enums.of(Origin.class, message.getOriginValue()),
        message.getHasSummary(),
        message.getHasVector(),
        summary);
  }

  /** What Describe found for a name. */
  public static SlotInfo described(DescribeResult message) {
    return info(
        message.getInfo(),
        message.hasSummary() ? Optional.of(summary(message.getSummary())) : Optional.empty());
  }

  /** A summary. */
  public static Summary summary(dev.memslot.v1.Summary message) {
    return new Summary(
        message.getText(),
        Enums.of(SummarySource.class, message.getSourceValue()),
        Enums.of(Origin.class, message.getOriginValue()),
        message.getRevision());
  }

  private static Attribute attribute(AttributeValue message) {
    return switch (message.getKindCase()) {
      case INT64_VALUE -> Attribute.of(message.getInt64Value());
      case DOUBLE_VALUE -> Attribute.of(message.getDoubleValue());
      case BOOL_VALUE -> Attribute.of(message.getBoolValue());
      case STRING_VALUE, KIND_NOT_SET -> Attribute.of(message.getStringValue());
    };
  }

  /** An attribute as a message. */
  public static AttributeValue message(Attribute attribute) {
    AttributeValue.Builder message = AttributeValue.newBuilder();
    if (attribute instanceof Attribute.Text text) {
      message.setStringValue(text.value());
    } else if (attribute instanceof Attribute.Whole whole) {
      message.setInt64Value(whole.value());
    } else if (attribute instanceof Attribute.Real real) {
      message.setDoubleValue(real.value());
    } else if (attribute instanceof Attribute.Truth truth) {
      message.setBoolValue(truth.value());
    }
    return message.build();
  }

  /** A receipt. */
  public static Receipt receipt(dev.memslot.v1.Receipt message) {
    return new Receipt(
        message.getName(),
        Enums.of(Outcome.class, message.getOutcomeValue()),
        message.getRevision(),
        message.getVersion(),
        message.getPreviousRevision(),
        message.hasExpireTime()
            ? Optional.of(Times.instant(message.getExpireTime()))
            : Optional.empty(),
        List.copyOf(message.getEvictedList()),
        Enums.of(ReceiptWarning.class, message.getWarningsValueList()));
  }

  /** A kept version. */
  public static VersionInfo version(dev.memslot.v1.VersionInfo message) {
    return new VersionInfo(
        message.getRevision(),
        message.getVersion(),
        message.getContentType(),
        message.getBodyBytes(),
        Times.instant(message.getUpdateTime()),
        message.getWrittenBy(),
        Enums.of(Origin.class, message.getOriginValue()));
  }

  /** A page of a lookup in a namespace, with or without infos. */
  public static LookupPage page(LookupResponse reply, String namespace, boolean withInfo) {
    List<Entry> entries =
        reply.getSlotsList().stream()
            .map(
                slot ->
                    new Entry(
                        slot.getName(),
                        slot.getNamespace().isEmpty() ? namespace : slot.getNamespace(),
                        withInfo ? Optional.of(info(slot, Optional.empty())) : Optional.empty()))
            .toList();
    return new LookupPage(
        entries,
        reply.getNextPageToken(),
        reply.getRevision(),
        reply.hasTotal() ? OptionalLong.of(reply.getTotal()) : OptionalLong.empty(),
        reply.getTotalIsLowerBound());
  }

  /** How many slots were forgotten. */
  public static Forgotten forgotten(ForgetMatchingResponse reply) {
    return new Forgotten(reply.getForgotten(), reply.getMoreRemain(), reply.getRevision());
  }

  /** The answer to a commit. */
  public static Committed committed(CommitResponse reply) {
    return new Committed(
        reply.getResultsList().stream().map(one -> receipt(one.getReceipt())).toList(),
        reply.getRevision());
  }

  /** The hits of a search. */
  public static SearchResult found(SearchResponse reply) {
    return new SearchResult(
        reply.getHitsList().stream().map(SlotMessages::hit).toList(),
        Enums.of(SearchMode.class, reply.getModeValue()),
        reply.getIndexedRevision(),
        List.copyOf(reply.getDegradedList()),
        reply.getRevision(),
        reply.getNextPageToken());
  }

  private static Hit hit(SearchHit message) {
    Optional<Summary> summary =
        message.hasSummary() ? Optional.of(summary(message.getSummary())) : Optional.empty();
    return new Hit(
        message.getName(),
        message.getScore(),
        Enums.of(Match.class, message.getMatchedByValueList()),
        message.hasInfo() ? Optional.of(info(message.getInfo(), summary)) : Optional.empty());
  }
}
