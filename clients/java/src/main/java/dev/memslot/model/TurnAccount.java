package dev.memslot.model;

import java.time.Instant;

/**
 * The books of one turn: sizes only, never a text.
 *
 * @param turn the turn
 * @param conversation the conversation, as the client said
 * @param time when it was recorded
 * @param prompt the whole prompt, schemas included; contains instruction, receipts, injected and
 *     leaked
 * @param output what the model wrote
 * @param instruction the card and the schemas
 * @param actions actions that the model wrote in this turn
 * @param receipts receipts in the prompt
 * @param injected what injections of the turn show
 * @param leaked bodies that nothing allows
 * @param inlined what the prompt would be with all live bodies in it, and without anything of
 *     memslot's
 * @param slots live slots at that time
 * @param bodyBytesOutside their bodies, in bytes
 * @param usage what the provider said
 * @param tokenCounter what counted all tokens but those of the usage
 */
public record TurnAccount(
    String turn,
    String conversation,
    Instant time,
    Amount prompt,
    Amount output,
    Amount instruction,
    Amount actions,
    Amount receipts,
    Amount injected,
    Amount leaked,
    Amount inlined,
    long slots,
    long bodyBytesOutside,
    Usage usage,
    String tokenCounter) {}
