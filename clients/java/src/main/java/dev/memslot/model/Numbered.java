package dev.memslot.model;

/** A member of one of the closed sets of the contract. */
public interface Numbered {
  /** Its number in the contract. */
  int number();
}
