package dev.memslot;

import com.google.rpc.Status;
import dev.memslot.errors.MemslotException;
import dev.memslot.errors.MemslotExceptions;
import dev.memslot.errors.ReplyBudgetException;
import dev.memslot.errors.SlotNotFoundException;
import dev.memslot.internal.Call;
import dev.memslot.internal.SlotMessages;
import dev.memslot.model.Slot;
import dev.memslot.model.SlotInfo;
import dev.memslot.model.Summary;
import dev.memslot.model.VersionInfo;
import dev.memslot.v1.BatchReadRequest;
import dev.memslot.v1.BatchReadResponse;
import dev.memslot.v1.DescribeRequest;
import dev.memslot.v1.DescribeResponse;
import dev.memslot.v1.ListVersionsRequest;
import dev.memslot.v1.ListVersionsResponse;
import dev.memslot.v1.ReadRequest;
import dev.memslot.v1.ReadResponse;
import dev.memslot.v1.ReadView;
import dev.memslot.v1.SlotServiceGrpc;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Reading of other kinds than one slot's body: many slots, summaries, versions. */
final class Reading {
  private static final int NAMES_LIMIT = 1000;

  private final Memory memory;

  Reading(Memory memory) {
    this.memory = memory;
  }

  Optional<Slot> ifChanged(String name, long revision) {
    ReadResponse reply = read(request(name).setIfRevisionNot(revision).build());
    return reply.getNotModified()
        ? Optional.empty()
        : Optional.of(SlotMessages.slot(reply.getSlot()));
  }

  Optional<Summary> summary(String name) {
    ReadResponse reply = read(request(name).setView(ReadView.READ_VIEW_SUMMARY).build());
    return reply.hasSummary()
        ? Optional.of(SlotMessages.summary(reply.getSummary()))
        : Optional.empty();
  }

  Pages<VersionInfo> versions(String name) {
    ListVersionsRequest request =
        ListVersionsRequest.newBuilder()
            .setNamespace(memory.namespacePath())
            .setName(name)
            .setPageSize(NAMES_LIMIT)
            .build();
    return new Pages<>(token -> versions(request.toBuilder().setPageToken(token).build()));
  }

  private Pages.Page<VersionInfo> versions(ListVersionsRequest request) {
    ListVersionsResponse reply =
        memory.run(
            new Call<>(
                SlotServiceGrpc.getListVersionsMethod(),
                request,
                ListVersionsResponse.class,
                Function.identity()));
    return new Pages.Page<>(
        reply.getVersionsList().stream().map(SlotMessages::version).toList(),
        reply.getNextPageToken());
  }

  Map<String, Slot> many(Collection<String> names) {
    return portions(
        names,
        portion ->
            batch(portion).getResultsList().stream()
                .map(
                    one ->
                        one.hasSlot()
                            ? found(SlotMessages.slot(one.getSlot()))
                            : Reading.<Slot>missing(one.getStatus()))
                .toList());
  }

  Map<String, SlotInfo> describeMany(Collection<String> names) {
    return portions(
        names,
        portion ->
            described(portion).getResultsList().stream()
                .map(
                    one ->
                        one.hasInfo()
                            ? found(SlotMessages.described(one))
                            : Reading.<SlotInfo>missing(one.getStatus()))
                .toList());
  }

  private ReadRequest.Builder request(String name) {
    return ReadRequest.newBuilder().setNamespace(memory.namespacePath()).setName(name);
  }

  private ReadResponse read(ReadRequest request) {
    return memory.run(
        new Call<>(
            SlotServiceGrpc.getReadMethod(), request, ReadResponse.class, Function.identity()));
  }

  private BatchReadResponse batch(List<String> names) {
    return memory.run(
        new Call<>(
            SlotServiceGrpc.getBatchReadMethod(),
            BatchReadRequest.newBuilder()
                .setNamespace(memory.namespacePath())
                .addAllNames(names)
                .build(),
            BatchReadResponse.class,
            Function.identity()));
  }

  private DescribeResponse described(List<String> names) {
    return memory.run(
        new Call<>(
            SlotServiceGrpc.getDescribeMethod(),
            DescribeRequest.newBuilder()
                .setNamespace(memory.namespacePath())
                .addAllNames(names)
                .setSummaries(true)
                .build(),
            DescribeResponse.class,
            Function.identity()));
  }

  /** What came for one name: a value, or why there is none. */
  private sealed interface Answer<T> {
    record Found<T>(T value) implements Answer<T> {}

    record Missing<T>(MemslotException error) implements Answer<T> {}
  }

  private static <T> Answer<T> found(T value) {
    return new Answer.Found<>(value);
  }

  private static <T> Answer<T> missing(Status status) {
    return new Answer.Missing<>(MemslotExceptions.of(status));
  }

  private static <T> Map<String, T> portions(
      Collection<String> names, Function<List<String>, List<Answer<T>>> ask) {
    Map<String, T> found = new LinkedHashMap<>();
    List<String> waiting = new ArrayList<>(new LinkedHashSet<>(names));
    int size = NAMES_LIMIT;
    while (!waiting.isEmpty()) {
      List<String> portion = waiting.subList(0, Math.min(size, waiting.size()));
      List<Answer<T>> answers = ask.apply(portion);
      if (answers.size() != portion.size()) {
        throw MemslotExceptions.unreadable("a question about several slots");
      }
      List<String> again = sort(portion, answers, found);
      // One alone, when the first is too large to come beside what is said of the others.
      size = again.size() == portion.size() ? 1 : NAMES_LIMIT;
      again.addAll(waiting.subList(portion.size(), waiting.size()));
      waiting = again;
    }
    return found;
  }

  /** Keeps what came, and returns the names to ask for again. */
  private static <T> List<String> sort(
      List<String> names, List<Answer<T>> answers, Map<String, T> found) {
    List<String> again = new ArrayList<>();
    for (int at = 0; at < names.size(); at++) {
      Answer<T> answer = answers.get(at);
      if (answer instanceof Answer.Found<T> here) {
        found.put(names.get(at), here.value());
      } else if (answer instanceof Answer.Missing<T> missing) {
        if (missing.error() instanceof ReplyBudgetException && names.size() > 1) {
          again.add(names.get(at));
        } else if (!(missing.error() instanceof SlotNotFoundException)) {
          throw missing.error();
        }
      }
    }
    return again;
  }
}
