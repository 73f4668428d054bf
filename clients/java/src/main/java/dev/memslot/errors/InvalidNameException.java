package dev.memslot.errors;

import java.util.OptionalInt;

/** A slot or namespace name breaks the naming rules. */
public final class InvalidNameException extends InvalidRequestException {
  private static final long serialVersionUID = 1L;

  InvalidNameException(Failure failure) {
    super(failure);
  }

  /** Index of the character to blame, where one is. */
  public OptionalInt position() {
    return metadata().containsKey("position")
        ? OptionalInt.of((int) number("position"))
        : OptionalInt.empty();
  }
}
