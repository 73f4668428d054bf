package dev.memslot;

import dev.memslot.model.Value;
import dev.memslot.v1.CommitCheck;
import dev.memslot.v1.CommitOperation;
import dev.memslot.v1.Precondition;
import dev.memslot.v1.WriteRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Up to 128 operations for one atomic {@link Memory#commit}. A name may occur once. */
public final class Batch {
  private final List<CommitOperation> operations = new ArrayList<>();

  /** Makes an empty batch. */
  public Batch() {}

  /** Creates a slot or replaces its body by a text. */
  public Batch write(String name, String text) {
    return write(name, Value.text(text), details -> {});
  }

  /** Creates a slot or replaces its body. */
  public Batch write(String name, Value value) {
    return write(name, value, details -> {});
  }

  /** The same with more to say; a request id is the commit's, not a write's. */
  public Batch write(String name, Value value, Consumer<WriteOptions> details) {
    return add(WriteOptions.replacing(name, value, details));
  }

  /** Adds a text at the end of a slot's body. */
  public Batch append(String name, String text) {
    return append(name, Value.text(text), details -> {});
  }

  /** Adds text or bytes at the end of a slot's body, with more to say. */
  public Batch append(String name, Value value, Consumer<WriteOptions> details) {
    return add(WriteOptions.appending(name, value, details));
  }

  /** Changes a JSON body by a merge patch (RFC 7396). */
  public Batch patch(String name, Value changes, Consumer<WriteOptions> details) {
    return add(WriteOptions.patching(name, changes, details));
  }

  /** Removes a slot. */
  public Batch forget(String name) {
    return forget(name, options -> {});
  }

  /** Removes a slot, with more to say. */
  public Batch forget(String name, Consumer<ForgetOptions> details) {
    ForgetOptions options = new ForgetOptions(name);
    details.accept(options);
    operations.add(CommitOperation.newBuilder().setForget(options.request()).build());
    return this;
  }

  /** The slot must be at this revision, and is not changed. */
  public Batch checkRevision(String name, long revision) {
    return check(name, Precondition.newBuilder().setIfRevision(revision));
  }

  /** There must be no such slot. */
  public Batch checkAbsent(String name) {
    return check(name, Precondition.newBuilder().setIfAbsent(true));
  }

  /** How many operations it has. */
  public int size() {
    return operations.size();
  }

  List<CommitOperation> operations() {
    return List.copyOf(operations);
  }

  private Batch add(WriteRequest.Builder write) {
    operations.add(CommitOperation.newBuilder().setWrite(write).build());
    return this;
  }

  private Batch check(String name, Precondition.Builder condition) {
    CommitCheck.Builder check = CommitCheck.newBuilder().setName(name).setPrecondition(condition);
    operations.add(CommitOperation.newBuilder().setCheck(check).build());
    return this;
  }

  @Override
  public String toString() {
    return "Batch[" + operations.size() + " operations]";
  }
}
