package dev.memslot.model;

/**
 * A backup that was received whole.
 *
 * @param totalBytes its size
 * @param revision the revision that it contains
 */
public record BackupInfo(long totalBytes, long revision) {}
