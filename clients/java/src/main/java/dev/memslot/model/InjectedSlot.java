package dev.memslot.model;

/**
 * A slot that an injection shows, whole or by its summary.
 *
 * @param name its name
 * @param revision its revision
 * @param summarised its summary stands for it
 * @param origin who the body comes from
 * @param untrusted it is marked as data that gives no instructions
 * @param injectionId the injection's id
 * @param characters how many characters it takes, delimiters included
 */
public record InjectedSlot(
    String name,
    long revision,
    boolean summarised,
    Origin origin,
    boolean untrusted,
    String injectionId,
    long characters) {}
