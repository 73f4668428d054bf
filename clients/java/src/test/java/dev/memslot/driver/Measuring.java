package dev.memslot.driver;

import com.google.gson.JsonObject;
import com.google.protobuf.Message;
import dev.memslot.MemslotClient;
import io.grpc.MethodDescriptor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** How long unary calls of the blocking client take, and how many a second there are. */
final class Measuring {
  private static final int WARM_UP = 10;

  private Measuring() {}

  static JsonObject measured(MemslotClient client, JsonObject request) throws Exception {
    MethodDescriptor<Message, Message> method = Methods.method(request.get("method").getAsString());
    Message message = Methods.message(method, request);
    int calls = request.get("calls").getAsInt();
    int callers = Math.min(request.get("concurrency").getAsInt(), calls);
    ExecutorService threads = Executors.newFixedThreadPool(callers);
    try {
      Callable<long[]> warming =
          timed(client, method, message, Math.max(1, calls / WARM_UP / callers));
      all(threads, warming, callers);
      Callable<long[]> counting = timed(client, method, message, calls / callers);
      long begin = System.nanoTime();
      long[] taken = all(threads, counting, callers);
      return result(taken, System.nanoTime() - begin);
    } finally {
      threads.shutdown();
    }
  }

  private static Callable<long[]> timed(
      MemslotClient client, MethodDescriptor<Message, Message> method, Message message, int calls) {
    return () -> {
      long[] taken = new long[calls];
      for (int call = 0; call < calls; call++) {
        long begin = System.nanoTime();
        client.call(method, message);
        taken[call] = System.nanoTime() - begin;
      }
      return taken;
    };
  }

  private static long[] all(ExecutorService threads, Callable<long[]> caller, int callers)
      throws Exception {
    List<Callable<long[]>> alike = new ArrayList<>();
    for (int one = 0; one < callers; one++) {
      alike.add(caller);
    }
    List<long[]> taken = new ArrayList<>();
    for (Future<long[]> one : threads.invokeAll(alike)) {
      taken.add(one.get());
    }
    return taken.stream().flatMapToLong(Arrays::stream).sorted().toArray();
  }

  private static JsonObject result(long[] sorted, long nanoseconds) {
    JsonObject result = new JsonObject();
    result.addProperty(
        "p50_ms", sorted[sorted.length / 2] / (double) TimeUnit.MILLISECONDS.toNanos(1));
    result.addProperty(
        "per_second", sorted.length * (double) TimeUnit.SECONDS.toNanos(1) / nanoseconds);
    return result;
  }
}
