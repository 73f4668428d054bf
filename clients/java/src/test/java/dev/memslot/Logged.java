package dev.memslot;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** What java.util.logging is told, by whomever. */
final class Logged extends Handler {
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final SimpleFormatter formatter = new SimpleFormatter();

  /** What is logged at a level or above while something runs. */
  static List<String> during(Level level, Runnable something) {
    Logged logged = new Logged();
    Logger root = Logger.getLogger("");
    Level before = root.getLevel();
    logged.setLevel(level);
    root.addHandler(logged);
    root.setLevel(level);
    try {
      something.run();
    } finally {
      root.removeHandler(logged);
      root.setLevel(before);
    }
    return logged.lines;
  }

  @Override
  public void publish(LogRecord line) {
    if (isLoggable(line)) {
      lines.add(formatter.format(line));
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}
}
