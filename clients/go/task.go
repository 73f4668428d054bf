package memslot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	memslotv1 "github.com/memslot/memslot/clients/go/memslot/v1"
	"google.golang.org/protobuf/types/known/durationpb"
)

// RetainFailed is how long what a failed attempt left can be looked at and carried over, unless [KeepFailedFor] says otherwise.
const RetainFailed = time.Hour

// A TaskOption says how an attempt begins and ends.
type TaskOption func(*Task)

// AttemptNumber says which attempt begins, from 1; unless given it is the one after the last.
func AttemptNumber(number int64) TaskOption { return func(t *Task) { t.Attempt = number } }

// CarryOver moves slots of the attempt before to this one, at most 128.
func CarryOver(names ...string) TaskOption { return func(t *Task) { t.carry = names } }

// KeepFor is how long what an attempt that succeeded did not promote can still be read; not at all unless given.
func KeepFor(span time.Duration) TaskOption { return func(t *Task) { t.retain = span } }

// KeepFailedFor is how long what a failed attempt left can be read and carried over; [RetainFailed] unless given.
func KeepFailedFor(span time.Duration) TaskOption { return func(t *Task) { t.retainFailed = span } }

// A Task is an attempt at a task, with a memory of its own.
type Task struct {
	// ID is any text that names the task.
	ID string
	// Memory is a client of the attempt's own namespace.
	Memory *Client
	// Attempt is its number, from 1.
	Attempt int64
	// Resumed: it had begun before, and finds what it had written.
	Resumed bool
	// CarriedOver came from the attempt before; Missing were to, and were not there.
	CarriedOver, Missing []string
	// Promoted went to the parent's namespace when the attempt ended; NotPromoted were to, and were not there.
	Promoted, NotPromoted []string

	parent               *Client
	carry                []string
	retain, retainFailed time.Duration
	lock                 sync.Mutex
	promote              []string
}

// RunTask begins an attempt at a task, runs do with a memory of its own, and ends the attempt: what it promoted moves to the
// client's namespace and the rest is forgotten. When do returns an error or panics, or the context ends, the attempt has failed: it
// promotes nothing and is kept for an hour, to be looked at or carried over.
//
// Beginning seals the attempt before: whoever still writes there gets [ErrStaleAttempt]. Errors are those of [Client.BeginTask], of
// do, and of [Task.End].
//
//	err := memory.RunTask(ctx, "job-17", func(ctx context.Context, task *memslot.Task) error {
//		task.Promote("result")
//		_, err := task.Memory.Write(ctx, "result", "42")
//		return err
//	})
func (c *Client) RunTask(ctx context.Context, id string, do func(context.Context, *Task) error, options ...TaskOption) error {
	task, err := c.BeginTask(ctx, id, options...)
	if err != nil {
		return err
	}
	whole := false
	defer func() {
		if !whole { // do panicked
			_ = task.Fail(context.WithoutCancel(ctx))
		}
	}()
	ctx = ContextWithRequestID(ctx, "") // what the context names began the task
	err = do(ctx, task)
	whole = true
	if err == nil {
		err = ctx.Err()
	}
	switch {
	case err == nil:
		return task.End(ctx)
	case task.over(err):
		return err
	}
	if failing := task.Fail(context.WithoutCancel(ctx)); failing != nil && !errors.Is(failing, ErrStaleAttempt) {
		return errors.Join(err, fmt.Errorf("memslot: the attempt could not be ended as failed: %w", failing))
	}
	return err
}

// BeginTask begins an attempt at a task, for whoever ends it by [Task.End] or [Task.Fail]; [Client.RunTask] does both.
//
// Its errors: [ErrStaleAttempt] (a later attempt has begun, or this one has ended), [ErrInvalidName], [ErrInvalidField],
// [ErrOutcomeUnknown].
func (c *Client) BeginTask(ctx context.Context, id string, options ...TaskOption) (*Task, error) {
	task := &Task{ID: id, parent: c, retainFailed: RetainFailed}
	for _, option := range options {
		option(task)
	}
	request := &memslotv1.BeginTaskRequest{
		Namespace: c.namespace, TaskId: id, Attempt: task.Attempt, CarryOver: task.carry, RequestId: requestID(ctx),
	}
	return mutate(ctx, c, memslotv1.NamespaceService_BeginTask_FullMethodName, request.RequestId, request,
		func(reply *memslotv1.BeginTaskResponse) *Task {
			task.Memory, task.Attempt, task.Resumed = c.Namespace(reply.GetTaskNamespace()), reply.GetAttempt(), reply.GetResumed()
			task.CarriedOver, task.Missing = reply.GetCarriedOver(), reply.GetMissing()
			return task
		})
}

// Promote moves these slots to the parent's namespace when the task ends well, over what is there under the same name.
func (t *Task) Promote(names ...string) {
	t.lock.Lock()
	defer t.lock.Unlock()
	for _, name := range names {
		if !slices.Contains(t.promote, name) {
			t.promote = append(t.promote, name)
		}
	}
}

// End ends the attempt well. Ending it again changes nothing. Its errors are those of [Client.BeginTask].
func (t *Task) End(ctx context.Context) error {
	t.lock.Lock()
	promote := slices.Clone(t.promote)
	t.lock.Unlock()
	return t.end(ctx, memslotv1.TaskOutcome_TASK_OUTCOME_SUCCEEDED, promote, t.retain)
}

// Fail ends the attempt as failed: it promotes nothing. Its errors are those of [Client.BeginTask].
func (t *Task) Fail(ctx context.Context) error {
	return t.end(ctx, memslotv1.TaskOutcome_TASK_OUTCOME_FAILED, nil, t.retainFailed)
}

func (t *Task) end(ctx context.Context, outcome memslotv1.TaskOutcome, promote []string, retain time.Duration) error {
	ctx = ContextWithRequestID(ctx, "") // what the context names began the task
	request := &memslotv1.EndTaskRequest{
		Namespace: t.parent.namespace, TaskId: t.ID, Attempt: t.Attempt, Outcome: outcome, Promote: promote,
		Retain: durationpb.New(retain), RequestId: requestID(ctx),
	}
	_, err := mutate(ctx, t.parent, memslotv1.NamespaceService_EndTask_FullMethodName, request.RequestId, request,
		func(reply *memslotv1.EndTaskResponse) *Task {
			t.Promoted, t.NotPromoted = reply.GetPromoted(), reply.GetMissing()
			return t
		})
	return err
}

// over tells whether an error says that this very attempt, or one that it is within, is over: then there is nothing to end.
func (t *Task) over(err error) bool {
	var failed *Error
	return errors.As(err, &failed) && failed.Reason == ErrStaleAttempt &&
		strings.HasPrefix(t.Memory.namespace+"/", failed.Metadata["task"]+"/attempt-"+failed.Metadata["attempt"]+"/")
}

// Format names the task and the attempt, whatever the verb.
func (t *Task) Format(state fmt.State, _ rune) {
	_, _ = io.WriteString(state, fmt.Sprintf("memslot.Task(%q, attempt %d)", t.ID, t.Attempt))
}
