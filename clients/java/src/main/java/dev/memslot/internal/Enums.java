package dev.memslot.internal;

import dev.memslot.model.Numbered;
import java.util.List;

/** The closed sets of the contract, by their numbers. */
public final class Enums {
  private Enums() {}

  /** The member of a number; UNSPECIFIED for one that this client does not know. */
  public static <E extends Enum<E> & Numbered> E of(Class<E> kind, int number) {
    E[] members = kind.getEnumConstants();
    for (E member : members) {
      if (member.number() == number) {
        return member;
      }
    }
    return members[0];
  }

  /** The members of several numbers. */
  public static <E extends Enum<E> & Numbered> List<E> of(Class<E> kind, List<Integer> numbers) {
    return numbers.stream().map(number -> of(kind, number)).toList();
  }
}
