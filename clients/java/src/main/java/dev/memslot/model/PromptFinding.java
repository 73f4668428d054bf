package dev.memslot.model;

import java.util.Optional;

/**
 * A stored body, or a part of one, in a prompt.
 *
 * @param name the slot
 * @param revision its revision
 * @param messageIndex which message holds it; 0 for a prompt that is one text
 * @param field which text of the message, e.g. {@code content[1].text}; empty for a prompt that is
 *     one text, and for a body that several texts of a message make up together
 * @param span where it stands in that text; without a field, in the prompt, or in the message as
 *     JSON without white space
 * @param characters how many characters that are
 * @param tokens how many tokens
 * @param whole whether all of the body stands there
 * @param injectionId the injection of the turn that allows it
 */
public record PromptFinding(
    String name,
    long revision,
    int messageIndex,
    String field,
    Span span,
    long characters,
    long tokens,
    boolean whole,
    Optional<String> injectionId) {}
