package dev.memslot;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A real sidecar in a process of its own, with a store of its own. */
public final class Sidecar implements AutoCloseable {
  private static final Pattern LISTENING =
      Pattern.compile("listening on\\s+(127\\.0\\.0\\.1:\\d+)\\s");

  private final Path folder;
  private final Process process;
  private final String target;

  private Sidecar(Path folder, Process process, String target) {
    this.folder = folder;
    this.process = process;
    this.target = target;
  }

  /** Starts one, with more arguments; returns when it listens. */
  public static Sidecar start(String... arguments) {
    try {
      Path folder = Files.createTempDirectory("memslot");
      List<String> command = new ArrayList<>(command());
      command.addAll(List.of("serve", "--data-dir", folder.resolve("data").toString()));
      command.addAll(List.of("--listen", "127.0.0.1:0", "--listen", "unix:" + folder.resolve("s")));
      command.addAll(List.of("--audit-file", folder.resolve("audit").toString()));
      command.addAll(List.of(arguments));
      ProcessBuilder builder = new ProcessBuilder(command);
      Process process =
          builder.redirectErrorStream(true).redirectOutput(folder.resolve("log").toFile()).start();
      return new Sidecar(folder, process, listening(process, folder));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static List<String> command() {
    String said = System.getenv("MEMSLOT_COMMAND");
    return said == null || said.isEmpty()
        ? List.of(Path.of("../../.venv/bin/memslot").toAbsolutePath().normalize().toString())
        : List.of(said.split(" "));
  }

  private static String listening(Process process, Path folder) throws IOException {
    while (true) {
      String said = Files.readString(folder.resolve("log"));
      Matcher found = LISTENING.matcher(said);
      if (found.find()) {
        return found.group(1);
      }
      if (!process.isAlive()) {
        throw new IOException("the sidecar did not start: " + said);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }

  /** Where it listens, as {@code host:port}. */
  public String target() {
    return target;
  }

  /** Where it listens, as {@code unix:/path}. */
  public String socket() {
    return "unix:" + folder.resolve("s");
  }

  /** The audit events so far, a line each. */
  public List<String> audit() {
    try {
      return Files.readAllLines(folder.resolve("audit"));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** The first audit event that holds a text, once it is there. */
  public String audited(String text) {
    while (true) {
      Optional<String> event = audit().stream().filter(line -> line.contains(text)).findFirst();
      if (event.isPresent()) {
        return event.get();
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(20, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
      try (Stream<Path> files = Files.walk(folder)) {
        files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(Sidecar::remove);
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static void remove(java.io.File file) {
    Objects.requireNonNull(file).delete();
  }
}
