package dev.memslot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(WithSidecar.class)
final class ReadmeTest {
  private static final Pattern CODE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  /** README's quick start compiles without a warning, runs, and does what it says. */
  @Test
  void quickStart(Sidecar sidecar, @TempDir Path folder) throws Exception {
    Matcher code = CODE.matcher(Files.readString(Path.of("README.md")));
    assertTrue(code.find());
    Path source = Files.writeString(folder.resolve("QuickStart.java"), code.group(1));
    String path = System.getProperty("java.class.path");
    int compiled =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-Xlint:all,-processing",
                "-Werror",
                "-proc:none",
                "-cp",
                path,
                "-d",
                folder.toString(),
                source.toString());
    assertEquals(0, compiled);
    List<String> lines = run(sidecar, folder + java.io.File.pathSeparator + path, "QuickStart");
    assertEquals(
        List.of("customer", "log", "somebody else was faster"),
        lines.subList(0, 3),
        lines::toString);
    assertTrue(lines.get(3).endsWith(" became {\"name\":\"Ada\",\"plan\":\"free\"}"), lines.get(3));
  }

  /** The example saves a name, changes the subject, and answers from memory. */
  @Test
  void saveAName(Sidecar sidecar) throws Exception {
    List<String> lines =
        run(sidecar, System.getProperty("java.class.path"), "dev.memslot.examples.SaveAName");
    assertEquals("model:  Nice to meet you!", lines.get(2), lines::toString);
    assertEquals("model:  You are Ada Lovelace.", lines.get(lines.size() - 1), lines::toString);
  }

  private static List<String> run(Sidecar sidecar, String path, String type)
      throws IOException, InterruptedException {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    ProcessBuilder builder = new ProcessBuilder(java.toString(), "-cp", path, type);
    builder.environment().put("MEMSLOT_TARGET", sidecar.target());
    Process process = builder.redirectErrorStream(true).start();
    List<String> lines = new ArrayList<>();
    process.inputReader(StandardCharsets.UTF_8).lines().forEach(lines::add);
    assertEquals(0, process.waitFor(), lines::toString);
    return lines;
  }
}
