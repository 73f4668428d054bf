package dev.memslot;

import dev.memslot.internal.Times;
import dev.memslot.model.IndexMode;
import dev.memslot.model.Overflow;
import dev.memslot.model.SummaryMode;
import dev.memslot.model.VectorIndexKind;
import dev.memslot.v1.NamespaceSettings;
import dev.memslot.v1.UpdateNamespaceRequest;
import java.time.Duration;

/** Which settings of a namespace to change; what is not said stays. */
public final class NamespaceOptions {
  private final UpdateNamespaceRequest.Builder request;
  private final NamespaceSettings.Builder settings;

  NamespaceOptions(String path) {
    request = UpdateNamespaceRequest.newBuilder().setNamespace(path);
    settings = request.getSettingsBuilder();
  }

  /** How many slots it may hold. */
  public NamespaceOptions slotLimit(long slots) {
    settings.setSlotLimit(slots);
    return said("slot_limit");
  }

  /** How large a body may be. */
  public NamespaceOptions bodyLimitBytes(long bytes) {
    settings.setBodyLimitBytes(bytes);
    return said("body_limit_bytes");
  }

  /** How long a slot lives when its writer does not say. */
  public NamespaceOptions ttlDefault(Duration span) {
    settings.setTtlDefault(Times.duration(span));
    return said("ttl_default");
  }

  /** How long a slot may live. */
  public NamespaceOptions ttlMax(Duration span) {
    settings.setTtlMax(Times.duration(span));
    return said("ttl_max");
  }

  /** Whether reading renews a slot's expiry. */
  public NamespaceOptions ttlRefreshOnRead(boolean renews) {
    settings.setTtlRefreshOnRead(renews);
    return said("ttl_refresh_on_read");
  }

  /** How many versions of a slot are kept. */
  public NamespaceOptions versionsKept(int versions) {
    settings.setVersionsKept(versions);
    return said("versions_kept");
  }

  /** What happens when it is full. */
  public NamespaceOptions overflow(Overflow overflow) {
    settings.setOverflowValue(overflow.number());
    return said("overflow");
  }

  /** Whether forgetting wipes the bytes. */
  public NamespaceOptions eraseOnForget(boolean erases) {
    settings.setEraseOnForget(erases);
    return said("erase_on_forget");
  }

  /** By what its slots can be found. */
  public NamespaceOptions indexMode(IndexMode mode) {
    settings.setIndexModeValue(mode.number());
    return said("index_mode");
  }

  /** What makes vectors: {@code none}, or one that the server has. */
  public NamespaceOptions embedder(String name) {
    settings.setEmbedder(name);
    return said("embedder");
  }

  /** What compares vectors. */
  public NamespaceOptions vectorIndex(VectorIndexKind kind) {
    settings.setVectorIndexValue(kind.number());
    return said("vector_index");
  }

  /** Of which bodies summaries are made. */
  public NamespaceOptions summaryMode(SummaryMode mode) {
    settings.setSummaryModeValue(mode.number());
    return said("summary_mode");
  }

  /** From which size on bodies get summaries. */
  public NamespaceOptions summaryAboveBytes(long bytes) {
    settings.setSummaryAboveBytes(bytes);
    return said("summary_above_bytes");
  }

  /** Below which rank slots get summaries. */
  public NamespaceOptions summaryBelowRank(double rank) {
    settings.setSummaryBelowRank(rank);
    return said("summary_below_rank");
  }

  /**
   * Takes settings from the namespaces above and the server again, by the contract's names, such as
   * {@code slot_limit}.
   */
  public NamespaceOptions inherit(String... names) {
    for (String name : names) {
      said(name);
    }
    return this;
  }

  UpdateNamespaceRequest request() {
    return request.build();
  }

  private NamespaceOptions said(String field) {
    if (!request.getUpdateMask().getPathsList().contains(field)) {
      request.getUpdateMaskBuilder().addPaths(field);
    }
    return this;
  }
}
