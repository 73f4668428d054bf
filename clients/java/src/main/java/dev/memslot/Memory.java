package dev.memslot;

import com.google.gson.JsonElement;
import com.google.protobuf.Message;
import dev.memslot.errors.MemslotException;
import dev.memslot.errors.Mutation;
import dev.memslot.internal.Call;
import dev.memslot.internal.Connection;
import dev.memslot.internal.Scope;
import dev.memslot.model.Committed;
import dev.memslot.model.Entry;
import dev.memslot.model.Forgotten;
import dev.memslot.model.LookupPage;
import dev.memslot.model.Receipt;
import dev.memslot.model.SearchResult;
import dev.memslot.model.Slot;
import dev.memslot.model.SlotInfo;
import dev.memslot.model.Summary;
import dev.memslot.model.Value;
import dev.memslot.model.VersionInfo;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Slots of one namespace. Immutable, and may be used from any number of threads, virtual ones too;
 * it lives as long as the {@link MemslotClient} that it came from.
 *
 * <p>Every call may throw a {@link MemslotException}: the classes named at each method, and those
 * of gRPC's codes above them. A thread that is interrupted while it waits gets one with the code
 * CANCELLED (OutcomeUnknownException for a mutation that was sent) and stays interrupted. What can
 * never be sent, such as half a surrogate pair in a name, is an {@link IllegalArgumentException}.
 */
public final class Memory extends AgentMemory {
  private final Connection connection;
  private final Scope scope;
  private final String namespace;

  Memory(Connection connection, Scope scope, String namespace) {
    this.connection = connection;
    this.scope = scope;
    this.namespace = namespace;
  }

  /** The namespace that calls are about. */
  @Override
  public String namespacePath() {
    return namespace;
  }

  /** The slots of another namespace (a whole path), on the same connection. */
  public Memory namespace(String path) {
    return new Memory(connection, scope, path);
  }

  /** The same slots with another timeout for each call, retries included. */
  public Memory withTimeout(Duration timeout) {
    return new Memory(connection, scope.within(timeout), namespace);
  }

  /** The same slots, whose calls the audit tells as of this turn. */
  public Memory inTurn(String turn) {
    return new Memory(connection, scope.said(scope.said().inTurn(turn)), namespace);
  }

  /** The same slots, whose calls the audit tells as of this W3C trace. */
  public Memory traced(Supplier<String> traceparent) {
    return new Memory(connection, scope.said(scope.said().traced(traceparent)), namespace);
  }

  /** The calls without waiting. */
  public AsyncMemory async() {
    return new AsyncMemory(connection, scope, namespace);
  }

  /** Creates a slot or replaces its body by a text; durable when this returns. */
  public Receipt write(String name, String text) {
    return write(name, Value.text(text), details -> {});
  }

  /** The same with more to say about the slot. */
  public Receipt write(String name, String text, Consumer<WriteOptions> details) {
    return write(name, Value.text(text), details);
  }

  /** Creates a slot or replaces its body; durable when this returns. */
  public Receipt write(String name, Value value) {
    return write(name, value, details -> {});
  }

  /**
   * The same with more to say about the slot. Throws SlotExists- or RevisionMismatchException
   * ({@code ifAbsent}, {@code ifRevision}), BodyTooLarge-, InvalidBody-, InvalidName-,
   * InvalidField-, SlotLimitReached-, StoreFull- and OutcomeUnknownException, with a vector
   * IndexNotEnabled- and DimensionMismatchException.
   */
  public Receipt write(String name, Value value, Consumer<WriteOptions> details) {
    return run(SlotCalls.write(namespace, WriteOptions.replacing(name, value, details)));
  }

  /** Adds a text at the end of a slot's body, atomically; an absent slot is created. */
  public Receipt append(String name, String text) {
    return append(name, Value.text(text), details -> {});
  }

  /** The same for text or bytes. */
  public Receipt append(String name, Value value) {
    return append(name, value, details -> {});
  }

  /**
   * Adds text or bytes at the end of a slot's body, atomically; an absent slot is created. Throws
   * as write, and ContentTypeMismatchException when the value does not fit the slot.
   */
  public Receipt append(String name, Value value, Consumer<WriteOptions> details) {
    return run(SlotCalls.write(namespace, WriteOptions.appending(name, value, details)));
  }

  /**
   * Changes a JSON body by a merge patch (RFC 7396), atomically: a null removes a key. An absent
   * slot is created from the patch.
   */
  public Receipt patch(String name, JsonElement changes) {
    return patch(name, Value.json(changes), details -> {});
  }

  /** The same for JSON text of any library. */
  public Receipt patch(String name, Value changes) {
    return patch(name, changes, details -> {});
  }

  /**
   * The same for JSON text of any library, with more to say about the slot. Throws as write, and
   * ContentTypeMismatchException when the body is not JSON.
   */
  public Receipt patch(String name, Value changes, Consumer<WriteOptions> details) {
    return run(SlotCalls.write(namespace, WriteOptions.patching(name, changes, details)));
  }

  /**
   * Replaces a slot's value by {@code change} of it, and tries anew when another writer came
   * between, so {@code change} may run several times. The slot's content type stays where the new
   * value is of its kind. Throws SlotNotFoundException, and RevisionMismatchException when 20
   * attempts all lost; what {@code change} throws ends the update, be it of another slot's race.
   */
  public Receipt update(String name, UnaryOperator<Value> change) {
    return update(name, details -> {}, change);
  }

  /** The same, which creates a missing slot from {@code change} of the initial value. */
  public Receipt update(String name, Value initial, UnaryOperator<Value> change) {
    return update(name, details -> details.initial(initial), change);
  }

  /** The same with more to say. */
  public Receipt update(String name, Consumer<UpdateOptions> details, UnaryOperator<Value> change) {
    UpdateOptions options = new UpdateOptions();
    details.accept(options);
    return new Updating(this, name, options, change).run();
  }

  /**
   * Changes what is known about a slot, or when it expires, without touching its body. Throws
   * SlotNotFound-, RevisionMismatch-, InvalidField- and OutcomeUnknownException.
   */
  public Receipt updateInfo(String name, Consumer<InfoOptions> details) {
    return run(SlotCalls.updateInfo(namespace, name, details));
  }

  /**
   * A slot with its body, which counts as an access. Throws SlotNotFoundException, also for an
   * expired slot, and InvalidNameException.
   */
  public Slot read(String name) {
    return run(SlotCalls.read(namespace, name));
  }

  /** A slot with its body, if it is there. */
  public Optional<Slot> find(String name) {
    return Optional.ofNullable(readMany(List.of(name)).get(name));
  }

  /** A slot unless it is still at {@code revision}: a cheap poll. Throws as read. */
  public Optional<Slot> readIfChanged(String name, long revision) {
    return new Reading(this).ifChanged(name, revision);
  }

  /** Several slots with their bodies, by name, in as many calls as that takes; no missing ones. */
  public Map<String, Slot> readMany(Collection<String> names) {
    return new Reading(this).many(names);
  }

  /** A summary of a slot's body, which is no access; empty for a body that is no text. */
  public Optional<Summary> summary(String name) {
    return new Reading(this).summary(name);
  }

  /** Everything about a slot but its body, which is no access. Throws SlotNotFoundException. */
  public SlotInfo describe(String name) {
    return run(SlotCalls.describe(namespace, name, false));
  }

  /** Everything but the bodies of several slots, by name, with summaries; no missing ones. */
  public Map<String, SlotInfo> describeMany(Collection<String> names) {
    return new Reading(this).describeMany(names);
  }

  /** The versions that are kept of a slot, newest first. Throws SlotNotFoundException. */
  public Pages<VersionInfo> versions(String name) {
    return new Reading(this).versions(name);
  }

  /** The version of a slot that a revision made. Throws SlotNotFound-, VersionNotFoundException. */
  public Slot readVersion(String name, long revision) {
    return run(SlotCalls.readVersion(namespace, name, revision));
  }

  /**
   * All slots whose names start so (no character is a wildcard), the highest rank first, without
   * their bodies.
   */
  public Pages<Entry> lookup(String prefix) {
    return lookup(prefix, details -> {});
  }

  /**
   * Slots whose names start so and for which a condition holds, without their bodies. In the orders
   * NAME and CREATED each slot that lives throughout comes exactly once. Iterating throws
   * InvalidName- and InvalidFilterException.
   */
  public Pages<Entry> lookup(String prefix, Consumer<LookupOptions> details) {
    var request = SlotCalls.lookupRequest(namespace, prefix, details);
    return new Pages<>(
        token -> {
          LookupPage page = run(SlotCalls.lookup(request.toBuilder().setPageToken(token).build()));
          return new Pages.Page<>(page.entries(), page.nextPageToken());
        });
  }

  /** One page of a lookup, for whoever keeps the place. Throws InvalidPageTokenException too. */
  public LookupPage lookupPage(String prefix, Consumer<LookupOptions> details) {
    return run(SlotCalls.lookup(SlotCalls.lookupRequest(namespace, prefix, details)));
  }

  /** The ten slots that fit a text best, by words, by meaning, or both. */
  public SearchResult search(String text) {
    return search(text, details -> {});
  }

  /**
   * The slots that fit best, without their bodies. The text is in plain words: rare ones count
   * more, a {@code "phrase"} in double quotes must match, {@code pref*} stands for any ending.
   * Throws IndexNotEnabled-, IndexOutdated-, IndexBehind-, DimensionMismatch-, InvalidField- and
   * InvalidFilterException.
   */
  public SearchResult search(String text, Consumer<SearchOptions> details) {
    return new Searching(this).search(text, details);
  }

  /** Removes a slot with its versions; forgetting what is not there is ABSENT, no error. */
  public Receipt forget(String name) {
    return forget(name, details -> {});
  }

  /**
   * The same with more to say. Throws RevisionMismatch-, ErasePending-, OutcomeUnknownException.
   */
  public Receipt forget(String name, Consumer<ForgetOptions> details) {
    return run(SlotCalls.forget(namespace, name, details));
  }

  /** Removes all slots for which a condition holds. */
  public Forgotten forgetMatching(Condition where) {
    return forgetMatching(where, details -> {});
  }

  /** The same with more to say. Throws TooManyMatches-, InvalidFilterException. */
  public Forgotten forgetMatching(Condition where, Consumer<ForgetMatchingOptions> details) {
    return run(SlotCalls.forgetMatching(SlotCalls.matching(namespace, List.of(where)), details));
  }

  /** Removes all slots of the namespace. */
  public Forgotten forgetEverything() {
    return forgetEverything(details -> {});
  }

  /** The same with more to say. Throws TooManyMatchesException. */
  public Forgotten forgetEverything(Consumer<ForgetMatchingOptions> details) {
    return run(SlotCalls.forgetMatching(SlotCalls.matching(namespace, List.of()), details));
  }

  /**
   * Applies a batch as one atomic transaction with one revision. On failure nothing is changed, and
   * {@code error.metadata().get("op_index")} names the operation. Throws as write and forget.
   */
  public Committed commit(Batch batch) {
    return run(SlotCalls.commit(namespace, batch));
  }

  /** Begins an attempt at a task; see {@link Task}. */
  public Task beginTask(String taskId) {
    return beginTask(taskId, details -> {});
  }

  /** The same with more to say. Throws StaleAttempt-, InvalidName- and OutcomeUnknownException. */
  public Task beginTask(String taskId, Consumer<TaskOptions> details) {
    TaskOptions options = new TaskOptions();
    details.accept(options);
    return Task.begin(this, taskId, options);
  }

  /**
   * Repeats the mutation that an exception is about, under its request id, and returns what the
   * first call would have returned: if it had happened, nothing changes. Holds for ten minutes.
   *
   * @param result what that call returns, such as {@code Receipt.class}
   * @throws IllegalArgumentException when the exception is about no mutation, or another result
   */
  public <T> T retry(MemslotException error, Class<T> result) {
    Mutation<?> mutation =
        error
            .mutation()
            .orElseThrow(
                () ->
                    new IllegalArgumentException("the error is not about a mutation: call again"));
    if (!result.isAssignableFrom(mutation.resultType())) {
      throw new IllegalArgumentException(
          "the call returns a " + mutation.resultType().getSimpleName());
    }
    return result.cast(connection.repeat(mutation, scope));
  }

  @Override
  <Q extends Message, R, T> T run(Call<Q, R, T> call) {
    return connection.call(call, scope);
  }

  @Override
  public String toString() {
    return "Memory[" + namespace + "]";
  }
}
