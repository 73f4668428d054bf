package dev.memslot.internal;

import java.util.List;

/** The closed sets of the contract: a member's place is its number. */
public final class Enums {
  private Enums() {}

  /** The member of a number; the first, UNSPECIFIED, for one that this client does not know. */
  public static <E extends Enum<E>> E of(Class<E> kind, int number) {
    E[] members = kind.getEnumConstants();
    return 0 <= number && number < members.length ? members[number] : members[0];
  }

  /** The members of several messages. */
  public static <E extends Enum<E>> List<E> of(Class<E> kind, List<Integer> numbers) {
    return numbers.stream().map(number -> of(kind, number)).toList();
  }
}
