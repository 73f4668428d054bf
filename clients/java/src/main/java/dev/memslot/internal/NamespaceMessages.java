package dev.memslot.internal;

import dev.memslot.model.IndexMode;
import dev.memslot.model.NamespaceInfo;
import dev.memslot.model.NamespaceSettings;
import dev.memslot.model.Overflow;
import dev.memslot.model.SummaryMode;
import dev.memslot.model.VectorIndexKind;
import dev.memslot.v1.Namespace;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** From messages about namespaces to values. */
public final class NamespaceMessages {
  private NamespaceMessages() {}

  /** A namespace. */
  public static NamespaceInfo namespace(Namespace message) {
    return new NamespaceInfo(
        message.getName(),
        settings(message.getSettings()),
        settings(message.getEffectiveSettings()),
        message.getSlotCount(),
        message.getStoredBytes(),
        Times.instant(message.getCreateTime()));
  }

  /** A namespace's settings. */
  public static NamespaceSettings settings(dev.memslot.v1.NamespaceSettings message) {
    return new NamespaceSettings(
        optional(message.hasSlotLimit(), message.getSlotLimit()),
        optional(message.hasBodyLimitBytes(), message.getBodyLimitBytes()),
        message.hasTtlDefault()
            ? Optional.of(Times.duration(message.getTtlDefault()))
            : Optional.empty(),
        message.hasTtlMax() ? Optional.of(Times.duration(message.getTtlMax())) : Optional.empty(),
        message.hasTtlRefreshOnRead()
            ? Optional.of(message.getTtlRefreshOnRead())
            : Optional.empty(),
        message.hasVersionsKept() ? OptionalInt.of(message.getVersionsKept()) : OptionalInt.empty(),
        Enums.of(Overflow.class, message.getOverflowValue()),
        message.hasEraseOnForget() ? Optional.of(message.getEraseOnForget()) : Optional.empty(),
        Enums.of(IndexMode.class, message.getIndexModeValue()),
        message.hasEmbedder() ? Optional.of(message.getEmbedder()) : Optional.empty(),
        Enums.of(VectorIndexKind.class, message.getVectorIndexValue()),
        Enums.of(SummaryMode.class, message.getSummaryModeValue()),
        optional(message.hasSummaryAboveBytes(), message.getSummaryAboveBytes()),
        message.hasSummaryBelowRank()
            ? OptionalDouble.of(message.getSummaryBelowRank())
            : OptionalDouble.empty());
  }

  static OptionalLong optional(boolean there, long value) {
    return there ? OptionalLong.of(value) : OptionalLong.empty();
  }
}
