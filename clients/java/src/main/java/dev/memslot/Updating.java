package dev.memslot;

import dev.memslot.errors.MemslotException;
import dev.memslot.errors.RevisionMismatchException;
import dev.memslot.errors.SlotExistsException;
import dev.memslot.errors.SlotNotFoundException;
import dev.memslot.model.Receipt;
import dev.memslot.model.Slot;
import dev.memslot.model.Value;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Compare-and-set: read, decide, write if nobody came first. */
final class Updating {
  private static final long FIRST_PAUSE_MS = 5;
  private static final long LONGEST_PAUSE_MS = 500;

  private final Memory memory;
  private final String name;
  private final UpdateOptions options;
  private final UnaryOperator<Value> change;

  Updating(Memory memory, String name, UpdateOptions options, UnaryOperator<Value> change) {
    this.memory = memory;
    this.name = name;
    this.options = options;
    this.change = change;
  }

  Receipt run() {
    for (int attempt = 1; ; attempt++) {
      Supplier<Receipt> writing = decided();
      try {
        return writing.get();
      } catch (RevisionMismatchException | SlotExistsException lost) {
        if (attempt == options.attempts()) {
          throw lost;
        }
        pause(attempt, lost);
      }
    }
  }

  /** The write that is to be tried; what the change throws ends the update, lost races too. */
  private Supplier<Receipt> decided() {
    Slot slot;
    try {
      slot = memory.read(name);
    } catch (SlotNotFoundException missing) {
      Value first = change.apply(options.initial().orElseThrow(() -> missing));
      return () -> memory.write(name, first, WriteOptions::ifAbsent);
    }
    Value changed = keepingType(change.apply(slot.value()), slot.value());
    return () -> memory.write(name, changed, details -> details.ifRevision(slot.revision()));
  }

  /** The slot keeps its content type when a value of the plain type of its kind is stored. */
  private static Value keepingType(Value changed, Value before) {
    boolean keeps =
        switch (changed.contentType()) {
          case Value.TEXT -> before.isText();
          case Value.JSON -> before.isJson();
          case Value.BINARY -> !before.isText() && !before.isJson();
          default -> false;
        };
    return keeps ? changed.as(before.contentType()) : changed;
  }

  private static void pause(int attempt, MemslotException lost) {
    long longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS << Math.min(attempt, 7));
    try {
      Thread.sleep(ThreadLocalRandom.current().nextLong(longest + 1));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw lost;
    }
  }
}
