package dev.memslot;

import dev.memslot.internal.AdminMessages;
import dev.memslot.internal.Call;
import dev.memslot.internal.Connection;
import dev.memslot.internal.Scope;
import dev.memslot.model.BackupInfo;
import dev.memslot.model.IntegrityReport;
import dev.memslot.model.Reindexing;
import dev.memslot.model.ServerInfo;
import dev.memslot.v1.AdminServiceGrpc;
import dev.memslot.v1.BackupRequest;
import dev.memslot.v1.BackupResponse;
import dev.memslot.v1.CheckIntegrityRequest;
import dev.memslot.v1.GetServerInfoRequest;
import dev.memslot.v1.ReindexRequest;
import dev.memslot.v1.StatsRequest;
import dev.memslot.v1.StatsResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * The calls about the sidecar itself. What takes as long as the store is large (check, backup,
 * reindex) may take an hour, unless {@link #withTimeout} says otherwise.
 */
public final class Admin {
  private static final Duration LONG = Duration.ofHours(1);

  private final Connection connection;
  private final Scope scope;
  private final Scope whole;

  Admin(Connection connection, Scope scope) {
    this(connection, scope, scope.within(LONG));
  }

  private Admin(Connection connection, Scope scope, Scope whole) {
    this.connection = connection;
    this.scope = scope;
    this.whole = whole;
  }

  /** The same calls with another timeout for each, however large the store is. */
  public Admin withTimeout(Duration timeout) {
    return new Admin(connection, scope.within(timeout), scope.within(timeout));
  }

  /** The same calls without a timeout. */
  public Admin withoutTimeout() {
    Scope unbounded = new Scope(scope.said(), null);
    return new Admin(connection, unbounded, unbounded);
  }

  /** Which server this is, and its limits. */
  public ServerInfo serverInfo() {
    return connection.call(
        new Call<>(
            AdminServiceGrpc.getGetServerInfoMethod(),
            GetServerInfoRequest.getDefaultInstance(),
            ServerInfo.class,
            AdminMessages::serverInfo),
        scope);
  }

  /** What is stored, and what was done since the process started, as the contract's message. */
  public StatsResponse stats() {
    return stats("");
  }

  /** The same, with the index of a namespace. */
  public StatsResponse stats(String namespace) {
    return connection.call(
        AdminServiceGrpc.getStatsMethod(),
        StatsRequest.newBuilder().setNamespace(namespace).build(),
        scope);
  }

  /** Checks the whole store. */
  public IntegrityReport check() {
    return connection.call(
        new Call<>(
            AdminServiceGrpc.getCheckIntegrityMethod(),
            CheckIntegrityRequest.getDefaultInstance(),
            IntegrityReport.class,
            reply ->
                new IntegrityReport(
                    List.copyOf(reply.getProblemsList()),
                    reply.getSlotsChecked(),
                    reply.getRevision())),
        whole);
  }

  /**
   * Writes a backup of the store. Throws BackupUnsupportedException for a store in RAM.
   *
   * @throws IOException when it cannot be written, or did not come whole
   */
  public BackupInfo backup(OutputStream out) throws IOException {
    Backup backup = new Backup(out);
    connection.stream(
        AdminServiceGrpc.getBackupMethod(), BackupRequest.getDefaultInstance(), whole, backup);
    return backup.whole();
  }

  /**
   * Makes an index anew: of a namespace and those below it, or of all (an empty path).
   *
   * @param vectors whether the vectors that the server made are made anew too
   * @param progress is told how far it is
   */
  public void reindex(String namespace, boolean vectors, Consumer<Reindexing> progress) {
    ReindexRequest request =
        ReindexRequest.newBuilder().setNamespace(namespace).setVectors(vectors).build();
    connection.stream(
        AdminServiceGrpc.getReindexMethod(),
        request,
        whole,
        step ->
            progress.accept(
                new Reindexing(
                    step.getDone(), step.getTotal(), step.getNamespace(), step.getRevision())));
  }

  /** A backup as it comes. */
  private static final class Backup implements Connection.Receiver<BackupResponse, IOException> {
    private final OutputStream out;
    private BackupInfo told = new BackupInfo(0, 0);
    private long received;

    Backup(OutputStream out) {
      this.out = out;
    }

    @Override
    public void accept(BackupResponse reply) throws IOException {
      reply.getChunk().writeTo(out);
      received += reply.getChunk().size();
      told =
          new BackupInfo(
              Math.max(told.totalBytes(), reply.getTotalBytes()),
              Math.max(told.revision(), reply.getRevision()));
    }

    BackupInfo whole() throws IOException {
      if (received != told.totalBytes() || received == 0) {
        throw new IOException(
            "the backup has %d bytes, %d came".formatted(told.totalBytes(), received));
      }
      return told;
    }
  }
}
