package dev.memslot.model;

import java.util.List;
import java.util.Optional;

/**
 * What the latest recorded turns cost.
 *
 * @param turns their books, oldest first
 * @param total their sums; empty when nothing was recorded
 * @param saved what memslot saved against inlining every live body, its own cost taken off
 * @param ratio the size of the inlined prompts over that of those that were sent
 * @param verdict whether it pays
 * @param verdictText the same in words
 * @param problems what is in the way of a (larger) saving
 * @param mixedCounters tokens cannot be added, and the sums have none
 * @param revision the store's revision at the time of the reply
 */
public record TokenReport(
    List<TurnAccount> turns,
    Optional<TurnAccount> total,
    Amount saved,
    double ratio,
    Verdict verdict,
    String verdictText,
    List<SavingProblem> problems,
    boolean mixedCounters,
    long revision) {}
