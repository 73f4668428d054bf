package dev.memslot;

import dev.memslot.errors.StaleAttemptException;
import dev.memslot.internal.Call;
import dev.memslot.internal.Times;
import dev.memslot.v1.BeginTaskRequest;
import dev.memslot.v1.BeginTaskResponse;
import dev.memslot.v1.EndTaskRequest;
import dev.memslot.v1.EndTaskResponse;
import dev.memslot.v1.NamespaceServiceGrpc;
import dev.memslot.v1.TaskOutcome;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * An attempt at a task, with a memory of its own, empty but for what was carried over.
 *
 * <pre>{@code
 * try (Task task = memory.beginTask("job-17")) {
 *   task.memory().write("draft", draft());
 *   task.promote("draft");
 *   task.succeed();
 * }
 * }</pre>
 *
 * <p>Beginning an attempt seals the one before: whoever still writes there gets {@link
 * StaleAttemptException}. {@link #succeed} ends it: what was promoted moves to the parent's
 * namespace, and the rest is forgotten. Left without, as by an exception, the attempt has failed:
 * it promotes nothing, and can be read and carried over for an hour. Used by one thread; its memory
 * by any.
 */
public final class Task implements AutoCloseable {
  private final Memory parent;
  private final Memory memory;
  private final String taskId;
  private final TaskOptions options;
  private final BeginTaskResponse begun;
  private final Set<String> promote = new LinkedHashSet<>();
  private List<String> promoted = List.of();
  private List<String> notPromoted = List.of();
  private boolean ended;

  private Task(Memory parent, String taskId, TaskOptions options, BeginTaskResponse begun) {
    this.parent = parent;
    this.memory = parent.namespace(begun.getTaskNamespace());
    this.taskId = taskId;
    this.options = options;
    this.begun = begun;
  }

  static Task begin(Memory parent, String taskId, TaskOptions options) {
    BeginTaskRequest request =
        BeginTaskRequest.newBuilder()
            .setNamespace(parent.namespacePath())
            .setTaskId(taskId)
            .setAttempt(options.attempt())
            .addAllCarryOver(options.carryOver())
            .build();
    BeginTaskResponse begun =
        parent.run(
            new Call<>(
                NamespaceServiceGrpc.getBeginTaskMethod(),
                request,
                BeginTaskResponse.class,
                Function.identity()));
    return new Task(parent, taskId, options, begun);
  }

  /** The attempt's own slots. */
  public Memory memory() {
    return memory;
  }

  /** Its number, from 1. */
  public long attempt() {
    return begun.getAttempt();
  }

  /** Whether it had begun before, and finds what it had written. */
  public boolean resumed() {
    return begun.getResumed();
  }

  /** Slots that came from the attempt before. */
  public List<String> carriedOver() {
    return List.copyOf(begun.getCarriedOverList());
  }

  /** Slots that were to be carried over and were not there. */
  public List<String> missing() {
    return List.copyOf(begun.getMissingList());
  }

  /** Moves these slots to the parent's namespace when the task ends well, over what is there. */
  public void promote(String... names) {
    promote.addAll(List.of(names));
  }

  /** Slots that went to the parent's namespace, when the attempt has ended. */
  public List<String> promoted() {
    return promoted;
  }

  /** Slots that were to be promoted and were not there. */
  public List<String> notPromoted() {
    return notPromoted;
  }

  /** Ends the attempt well. Throws StaleAttempt- and OutcomeUnknownException. */
  public void succeed() {
    if (!ended) {
      end(TaskOutcome.TASK_OUTCOME_SUCCEEDED, List.copyOf(promote));
      ended = true;
    }
  }

  /** Ends the attempt as failed, unless it has ended well, or a later one has begun. */
  @Override
  public void close() {
    if (ended) {
      return;
    }
    ended = true;
    boolean interrupted = Thread.interrupted(); // An interrupted attempt has to end as well.
    try {
      end(TaskOutcome.TASK_OUTCOME_FAILED, List.of());
    } catch (StaleAttemptException over) {
      // A later attempt has begun, or somebody else ended this one: there is nothing to end.
      return;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void end(TaskOutcome outcome, List<String> names) {
    EndTaskRequest request =
        EndTaskRequest.newBuilder()
            .setNamespace(parent.namespacePath())
            .setTaskId(taskId)
            .setAttempt(begun.getAttempt())
            .setOutcome(outcome)
            .addAllPromote(names)
            .setRetain(Times.duration(options.retain(outcome == TaskOutcome.TASK_OUTCOME_FAILED)))
            .build();
    EndTaskResponse reply =
        parent.run(
            new Call<>(
                NamespaceServiceGrpc.getEndTaskMethod(),
                request,
                EndTaskResponse.class,
                Function.identity()));
    promoted = List.copyOf(reply.getPromotedList());
    notPromoted = List.copyOf(reply.getMissingList());
  }

  @Override
  public String toString() {
    return "Task[" + taskId + ", attempt " + attempt() + "]";
  }
}
