package dev.memslot.model;

import java.util.List;

/**
 * What a check of the store found.
 *
 * @param problems what is wrong, a line each; empty when all is well
 * @param slotsChecked how many slots were checked
 * @param revision the store's revision
 */
public record IntegrityReport(List<String> problems, long slotsChecked, long revision) {}
