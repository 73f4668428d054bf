package dev.memslot;

import dev.memslot.internal.Call;
import dev.memslot.internal.Connection;
import dev.memslot.internal.NamespaceMessages;
import dev.memslot.internal.Scope;
import dev.memslot.model.Forgotten;
import dev.memslot.model.NamespaceInfo;
import dev.memslot.v1.DeleteNamespaceRequest;
import dev.memslot.v1.GetNamespaceRequest;
import dev.memslot.v1.ListNamespacesRequest;
import dev.memslot.v1.ListNamespacesResponse;
import dev.memslot.v1.NamespaceServiceGrpc;
import java.util.function.Consumer;

/** The calls about namespaces. */
public final class Namespaces {
  private final Connection connection;
  private final Scope scope;

  Namespaces(Connection connection, Scope scope) {
    this.connection = connection;
    this.scope = scope;
  }

  /**
   * Creates or configures a namespace. Throws InvalidName-, InvalidField-, SettingAboveCap-,
   * StoreFull- and OutcomeUnknownException.
   */
  public NamespaceInfo update(String path, Consumer<NamespaceOptions> details) {
    NamespaceOptions options = new NamespaceOptions(path);
    details.accept(options);
    return connection.call(
        new Call<>(
            NamespaceServiceGrpc.getUpdateNamespaceMethod(),
            options.request(),
            NamespaceInfo.class,
            reply -> NamespaceMessages.namespace(reply.getNamespace())),
        scope);
  }

  /** A namespace with its settings and use. Throws NamespaceNotFoundException. */
  public NamespaceInfo get(String path) {
    return connection.call(
        new Call<>(
            NamespaceServiceGrpc.getGetNamespaceMethod(),
            GetNamespaceRequest.newBuilder().setNamespace(path).build(),
            NamespaceInfo.class,
            reply -> NamespaceMessages.namespace(reply.getNamespace())),
        scope);
  }

  /** All namespaces, in the byte order of their paths. */
  public Pages<NamespaceInfo> list() {
    return list("");
  }

  /** A namespace and those below it, in the byte order of their paths. */
  public Pages<NamespaceInfo> list(String parent) {
    return new Pages<>(
        token ->
            page(ListNamespacesRequest.newBuilder().setParent(parent).setPageToken(token).build()));
  }

  private Pages.Page<NamespaceInfo> page(ListNamespacesRequest request) {
    ListNamespacesResponse reply =
        connection.call(NamespaceServiceGrpc.getListNamespacesMethod(), request, scope);
    return new Pages.Page<>(
        reply.getNamespacesList().stream().map(NamespaceMessages::namespace).toList(),
        reply.getNextPageToken());
  }

  /**
   * Removes an empty namespace and its settings; those below it stay. Throws NamespaceNotFound-,
   * NamespaceNotEmpty- and OutcomeUnknownException.
   */
  public Forgotten delete(String path) {
    return delete(DeleteNamespaceRequest.newBuilder().setNamespace(path).build());
  }

  /** Removes a namespace, its settings and its slots; those below it stay. */
  public Forgotten deleteWithSlots(String path) {
    return delete(DeleteNamespaceRequest.newBuilder().setNamespace(path).setForce(true).build());
  }

  private Forgotten delete(DeleteNamespaceRequest request) {
    return connection.call(
        new Call<>(
            NamespaceServiceGrpc.getDeleteNamespaceMethod(),
            request,
            Forgotten.class,
            reply -> new Forgotten(reply.getForgotten(), false, reply.getRevision())),
        scope);
  }
}
