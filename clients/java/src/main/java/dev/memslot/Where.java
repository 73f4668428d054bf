package dev.memslot;

import dev.memslot.internal.SlotMessages;
import dev.memslot.internal.Times;
import dev.memslot.model.Attribute;
import dev.memslot.model.Origin;
import dev.memslot.v1.AttributeCondition;
import dev.memslot.v1.AttributeValueList;
import dev.memslot.v1.DoubleRange;
import dev.memslot.v1.Filter;
import dev.memslot.v1.Int64Range;
import dev.memslot.v1.OriginSet;
import dev.memslot.v1.StringSet;
import dev.memslot.v1.TimeRange;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Conditions on slots, for lookups, searches and forgetMatching: {@code
 * Where.tagsAny("draft").and(Where.attribute("step").greaterThan(Attribute.of(3)))}. Every backend
 * evaluates them alike.
 */
public final class Where {
  private Where() {}

  /** Every one of 1 to 64 conditions holds. */
  public static Condition allOf(Condition... conditions) {
    return new Condition(Filter.newBuilder().setAllOf(Condition.list(conditions)).build());
  }

  /** At least one of 1 to 64 conditions holds. */
  public static Condition anyOf(Condition... conditions) {
    return new Condition(Filter.newBuilder().setAnyOf(Condition.list(conditions)).build());
  }

  /** None of 1 to 64 conditions holds. */
  public static Condition noneOf(Condition... conditions) {
    return new Condition(Filter.newBuilder().setNoneOf(Condition.list(conditions)).build());
  }

  /** The name starts so; no character is a wildcard. */
  public static Condition nameStartsWith(String prefix) {
    return new Condition(Filter.newBuilder().setNamePrefix(prefix).build());
  }

  /** The task type is one of 1 to 256; the empty text stands for none. */
  public static Condition taskTypeIn(String... labels) {
    return new Condition(Filter.newBuilder().setTaskTypeIn(set(labels)).build());
  }

  /** The slot has at least one of 1 to 256 tags. */
  public static Condition tagsAny(String... labels) {
    return new Condition(Filter.newBuilder().setTagsAny(set(labels)).build());
  }

  /** The slot has all of 1 to 256 tags. */
  public static Condition tagsAll(String... labels) {
    return new Condition(Filter.newBuilder().setTagsAll(set(labels)).build());
  }

  /** The slot has none of 1 to 256 tags. */
  public static Condition tagsNone(String... labels) {
    return new Condition(Filter.newBuilder().setTagsNone(set(labels)).build());
  }

  /** The origin is one of these. */
  public static Condition originIn(Origin... origins) {
    OriginSet.Builder set = OriginSet.newBuilder();
    for (Origin origin : origins) {
      set.addValuesValue(origin.number());
    }
    return new Condition(Filter.newBuilder().setOriginIn(set).build());
  }

  /** Created at or after one time and before another; null is no bound. */
  public static Condition created(@Nullable Instant since, @Nullable Instant before) {
    return new Condition(Filter.newBuilder().setCreated(range(since, before)).build());
  }

  /** Changed at or after one time and before another; null is no bound. */
  public static Condition updated(@Nullable Instant since, @Nullable Instant before) {
    return new Condition(Filter.newBuilder().setUpdated(range(since, before)).build());
  }

  /** Last read at or after one time and before another; null is no bound. */
  public static Condition accessed(@Nullable Instant since, @Nullable Instant before) {
    return new Condition(Filter.newBuilder().setAccessed(range(since, before)).build());
  }

  /** Expires at or after one time and before another; null is no bound. */
  public static Condition expires(@Nullable Instant since, @Nullable Instant before) {
    return new Condition(Filter.newBuilder().setExpires(range(since, before)).build());
  }

  /** The importance lies in a range that includes its ends; null is no bound. */
  public static Condition importance(@Nullable Double low, @Nullable Double high) {
    DoubleRange.Builder range = DoubleRange.newBuilder();
    if (low != null) {
      range.setMin(low);
    }
    if (high != null) {
      range.setMax(high);
    }
    return new Condition(Filter.newBuilder().setImportance(range).build());
  }

  /** The body's size lies in a range that includes its ends; null is no bound. */
  public static Condition bodyBytes(@Nullable Long low, @Nullable Long high) {
    Int64Range.Builder range = Int64Range.newBuilder();
    if (low != null) {
      range.setMin(low);
    }
    if (high != null) {
      range.setMax(high);
    }
    return new Condition(Filter.newBuilder().setBodyBytes(range).build());
  }

  /** One attribute, to compare. A missing one satisfies only notEqualTo and missing. */
  public static AttributeOf attribute(String key) {
    return new AttributeOf(key);
  }

  /** An attribute to compare. */
  public static final class AttributeOf {
    private final String key;

    private AttributeOf(String key) {
      this.key = key;
    }

    /** Equal. */
    public Condition equalTo(Attribute value) {
      return made(condition().setEq(SlotMessages.message(value)));
    }

    /** Missing, of another type, or not equal. */
    public Condition notEqualTo(Attribute value) {
      return made(condition().setNe(SlotMessages.message(value)));
    }

    /** Greater. */
    public Condition greaterThan(Attribute value) {
      return made(condition().setGt(SlotMessages.message(value)));
    }

    /** Greater or equal. */
    public Condition atLeast(Attribute value) {
      return made(condition().setGe(SlotMessages.message(value)));
    }

    /** Less. */
    public Condition lessThan(Attribute value) {
      return made(condition().setLt(SlotMessages.message(value)));
    }

    /** Less or equal. */
    public Condition atMost(Attribute value) {
      return made(condition().setLe(SlotMessages.message(value)));
    }

    /** Equal to one of 1 to 256 values. */
    public Condition in(Attribute... values) {
      AttributeValueList.Builder list = AttributeValueList.newBuilder();
      for (Attribute value : values) {
        list.addValues(SlotMessages.message(value));
      }
      return made(condition().setIn(list));
    }

    /** The slot has it, whatever its value. */
    public Condition exists() {
      return made(condition().setExists(true));
    }

    /** The slot does not have it. */
    public Condition missing() {
      return made(condition().setExists(false));
    }

    private AttributeCondition.Builder condition() {
      return AttributeCondition.newBuilder().setKey(key);
    }

    private static Condition made(AttributeCondition.Builder condition) {
      return new Condition(Filter.newBuilder().setAttribute(condition).build());
    }
  }

  private static StringSet set(String... values) {
    return StringSet.newBuilder().addAllValues(List.of(values)).build();
  }

  private static TimeRange range(@Nullable Instant since, @Nullable Instant before) {
    TimeRange.Builder range = TimeRange.newBuilder();
    if (since != null) {
      range.setFrom(Times.timestamp(since));
    }
    if (before != null) {
      range.setUntil(Times.timestamp(before));
    }
    return range.build();
  }
}
