package dev.memslot.model;

import java.util.List;

/**
 * The answer to a commit.
 *
 * @param receipts one for each operation, in order
 * @param revision the one revision of all
 */
public record Committed(List<Receipt> receipts, long revision) {}
