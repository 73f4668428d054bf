package dev.memslot.model;

/** A typed scalar of a slot, to filter by. Integers and reals compare exactly, as numbers. */
public sealed interface Attribute {
  /** UTF-8 text of at most 1024 bytes. */
  static Attribute of(String value) {
    return new Text(value);
  }

  /** A 64-bit signed integer. */
  static Attribute of(long value) {
    return new Whole(value);
  }

  /** A real number. */
  static Attribute of(double value) {
    return new Real(value);
  }

  /** A truth value; it never equals a number. */
  static Attribute of(boolean value) {
    return new Truth(value);
  }

  /**
   * A text.
   *
   * @param value the text
   */
  record Text(String value) implements Attribute {}

  /**
   * An integer.
   *
   * @param value the number
   */
  record Whole(long value) implements Attribute {}

  /**
   * A real number.
   *
   * @param value the number
   */
  record Real(double value) implements Attribute {}

  /**
   * A truth value.
   *
   * @param value whether it is true
   */
  record Truth(boolean value) implements Attribute {}
}
