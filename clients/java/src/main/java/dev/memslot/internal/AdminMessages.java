package dev.memslot.internal;

import static dev.memslot.internal.NamespaceMessages.optional;

import dev.memslot.model.ServerInfo;
import dev.memslot.v1.GetServerInfoResponse;
import java.util.List;

/** From messages about the sidecar to values. */
public final class AdminMessages {
  private AdminMessages() {}

  /** Which server it is. */
  public static ServerInfo serverInfo(GetServerInfoResponse reply) {
    return new ServerInfo(
        reply.getVersion(),
        reply.getStoreId(),
        reply.getInstanceId(),
        reply.getStore(),
        reply.getMessageLimitBytes(),
        NamespaceMessages.settings(reply.getNamespaceDefaults()),
        optional(reply.hasNamespaceLimit(), reply.getNamespaceLimit()),
        optional(reply.hasNamespaceLimitPerRoot(), reply.getNamespaceLimitPerRoot()),
        optional(reply.hasStoreLimitBytes(), reply.getStoreLimitBytes()),
        optional(reply.hasStoreLimitBytesPerRoot(), reply.getStoreLimitBytesPerRoot()),
        Times.duration(reply.getRankHalfLife()),
        Times.instant(reply.getStartTime()),
        reply.getRevision(),
        List.copyOf(reply.getEmbeddersList()),
        reply.getStoreWarning());
  }
}
