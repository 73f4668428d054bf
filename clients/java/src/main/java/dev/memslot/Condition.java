package dev.memslot;

import dev.memslot.v1.Filter;
import dev.memslot.v1.FilterList;
import java.util.List;

/** What must hold for a slot; {@link Where} makes them. Immutable. */
public final class Condition {
  private final Filter filter;

  Condition(Filter filter) {
    this.filter = filter;
  }

  /** Both hold. */
  public Condition and(Condition other) {
    return Where.allOf(this, other);
  }

  /** At least one of the two holds. */
  public Condition or(Condition other) {
    return Where.anyOf(this, other);
  }

  /** It does not hold. */
  public Condition not() {
    return Where.noneOf(this);
  }

  /** The condition as a message of the contract. */
  public Filter filter() {
    return filter;
  }

  static FilterList list(Condition... conditions) {
    List<Filter> filters = List.of(conditions).stream().map(Condition::filter).toList();
    return FilterList.newBuilder().addAllFilters(filters).build();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Condition condition && filter.equals(condition.filter);
  }

  @Override
  public int hashCode() {
    return filter.hashCode();
  }

  @Override
  public String toString() {
    return "Condition[" + filter.getNodeCase() + "]";
  }
}
