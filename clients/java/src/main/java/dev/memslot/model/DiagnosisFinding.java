package dev.memslot.model;

/**
 * One thing that was found of a turn.
 *
 * @param verdict how bad it is
 * @param reason in UPPER_SNAKE_CASE
 * @param text in a sentence
 * @param name the slot that it is about, or empty
 * @param revision 0 where there is none
 */
public record DiagnosisFinding(
    StepVerdict verdict, String reason, String text, String name, long revision) {}
