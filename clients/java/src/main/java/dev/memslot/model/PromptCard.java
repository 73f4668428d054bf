package dev.memslot.model;

/**
 * What a model is told of its memory.
 *
 * @param text belongs into the system prompt, and is the same until it is renewed
 * @param tail belongs to the end of the prompt, says what changed since; empty when nothing did
 * @param listed how many slots have their names in the text
 * @param slots how many slots there are
 * @param cardRevision the revision at which the text was made
 * @param renewed whether this call made it
 * @param tokens how many tokens the text takes
 * @param tokenCounter what counted them
 * @param revision the store's revision at the time of the reply
 */
public record PromptCard(
    String text,
    String tail,
    long listed,
    long slots,
    long cardRevision,
    boolean renewed,
    long tokens,
    String tokenCounter,
    long revision) {}
