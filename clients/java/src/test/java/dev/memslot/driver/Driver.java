package dev.memslot.driver;

import com.google.gson.JsonObject;
import dev.memslot.MemslotClient;
import dev.memslot.MemslotClientBuilder;
import dev.memslot.internal.Json;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Answers each request when it is done, in any order, until the input ends. */
public final class Driver {
  private final Map<String, MemslotClient> clients = new ConcurrentHashMap<>();
  private final PrintStream out;

  private Driver(PrintStream out) {
    this.out = out;
  }

  /** Reads standard input to its end. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    PrintStream out =
        new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
    System.setOut(System.err); // Nothing but answers may stand on standard output.
    Driver driver = new Driver(out);
    ExecutorService workers = Executors.newCachedThreadPool();
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        JsonObject request = Json.readObject(line);
        if (request.get("op").getAsString().equals("open")) {
          driver.answer(request);
        } else {
          workers.execute(() -> driver.answer(request));
        }
      }
    }
    workers.shutdown();
    workers.awaitTermination(1, TimeUnit.MINUTES);
    driver.clients.values().forEach(MemslotClient::close);
  }

  private void answer(JsonObject request) {
    JsonObject answer;
    try {
      answer = done(request);
    } catch (Throwable error) {
      answer = new JsonObject();
      answer.add("error", Failures.told(error));
    }
    answer.add("id", request.get("id"));
    String line = Json.write(answer);
    synchronized (out) {
      out.print(line + "\n");
      out.flush();
    }
  }

  private JsonObject done(JsonObject request) throws Exception {
    JsonObject answer = new JsonObject();
    switch (request.get("op").getAsString()) {
      case "open" -> {
        clients.put(request.get("client").getAsString(), opened(request));
        answer.addProperty("ok", true);
      }
      case "close" -> {
        client(request).close();
        if (!request.has("keep")) {
          clients.remove(request.get("client").getAsString());
        }
        answer.addProperty("ok", true);
      }
      case "call" -> answer.add("reply", Methods.call(within(client(request), request), request));
      case "do" -> answer.add("result", Verbs.done(client(request), request));
      case "measure" -> answer.add("result", Measuring.measured(client(request), request));
      default -> throw new IllegalArgumentException("there is no such op");
    }
    return answer;
  }

  private MemslotClient client(JsonObject request) {
    MemslotClient client = clients.get(request.get("client").getAsString());
    if (client == null) {
      throw new IllegalArgumentException("there is no such client");
    }
    return client;
  }

  private static MemslotClient within(MemslotClient client, JsonObject request) {
    return request.has("timeout_ms")
        ? client.withTimeout(Duration.ofMillis(request.get("timeout_ms").getAsLong()))
        : client;
  }

  private static MemslotClient opened(JsonObject request) {
    MemslotClientBuilder builder = MemslotClient.builder();
    request
        .entrySet()
        .forEach(
            said -> {
              String value = said.getValue().getAsString();
              switch (said.getKey()) {
                case "target" -> builder.target(value);
                case "namespace" -> builder.namespace(value);
                case "timeout_ms" -> builder.timeout(Duration.ofMillis(Long.parseLong(value)));
                case "agent" -> builder.agent(value);
                case "conversation" -> builder.conversation(value);
                case "token" -> builder.token(value);
                case "ca_file" -> builder.tls(Path.of(value));
                default -> {
                  // id, op, client
                }
              }
            });
    return builder.connect();
  }
}
