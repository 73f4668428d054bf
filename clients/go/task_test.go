package memslot_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	memslot "github.com/memslot/memslot/clients/go"
)

// What an attempt promotes moves to the parent when it ends well; the rest is gone.
func TestTask(t *testing.T) {
	memory := connected(t)
	var ended *memslot.Task
	must(t, memory.RunTask(ctx, "job/17", func(ctx context.Context, task *memslot.Task) error {
		ended = task
		task.Promote("result", "nothing", "result")
		for _, name := range []string{"result", "scratch"} {
			if _, err := task.Memory.Write(ctx, name, name); err != nil {
				return err
			}
		}
		return nil
	}))
	equal(t, strings.Join(ended.Promoted, " ")+"/"+strings.Join(ended.NotPromoted, " "), "result/nothing")
	equal(t, ended.Attempt, 1)
	text, err := memslot.ReadAs[string](ctx, memory, "result")
	must(t, err)
	equal(t, text, "result")
	_, err = ended.Memory.Read(ctx, "scratch")
	refusal(t, err, memslot.ErrSlotNotFound)
}

// An attempt that fails, panics or is cancelled promotes nothing, and the next one may carry over what it left.
func TestTasksThatFail(t *testing.T) {
	memory := connected(t)
	wrong := errors.New("went wrong")
	attempt := func(ctx context.Context, fail func() error, options ...memslot.TaskOption) (task *memslot.Task, err error) {
		defer func() {
			if recover() != nil {
				err = wrong
			}
		}()
		err = memory.RunTask(ctx, "job", func(ctx context.Context, begun *memslot.Task) error {
			task = begun
			begun.Promote("note")
			if _, err := begun.Memory.Append(ctx, "note", "x"); err != nil {
				return err
			}
			return fail()
		}, options...)
		return task, err
	}
	cancelled, cancel := context.WithCancel(ctx)
	ended, end := context.WithCancel(ctx)
	for number, one := range []struct {
		ctx  context.Context
		fail func() error
		want error
	}{
		{ctx, func() error { return wrong }, wrong},
		{ctx, func() error { panic(wrong) }, wrong},
		{cancelled, func() error { cancel(); return cancelled.Err() }, context.Canceled},
		{ended, func() error { end(); return nil }, context.Canceled},
	} {
		task, err := attempt(one.ctx, one.fail, memslot.CarryOver("note"))
		equal(t, errors.Is(err, one.want), true)
		text, err := memslot.ReadAs[string](ctx, task.Memory, "note")
		must(t, err)
		equal(t, text, strings.Repeat("x", number+1))
	}
	_, err := memory.Read(ctx, "note")
	refusal(t, err, memslot.ErrSlotNotFound)
}

// A request id of the caller's is that of the beginning alone: within the attempt each mutation has its own.
func TestATaskUnderARequestID(t *testing.T) {
	memory := connected(t)
	named := memslot.ContextWithRequestID(ctx, "2f1f1d3c-16cd-43dd-8448-eb211c80319c")
	must(t, memory.RunTask(named, "job", func(ctx context.Context, task *memslot.Task) error {
		for _, name := range []string{"a", "b"} {
			if _, err := task.Memory.Write(ctx, name, 1); err != nil {
				return err
			}
		}
		return nil
	}))
}

// Beginning an attempt seals the one before, which then has nothing to end.
func TestAttemptsThatAreSealed(t *testing.T) {
	memory := connected(t)
	err := memory.RunTask(ctx, "job", func(ctx context.Context, first *memslot.Task) error {
		second, err := memory.BeginTask(ctx, "job")
		must(t, err)
		equal(t, second.Attempt, first.Attempt+1)
		_, err = first.Memory.Write(ctx, "late", 1)
		must(t, second.End(ctx))
		return err
	})
	refusal(t, err, memslot.ErrStaleAttempt)
	_, err = memory.BeginTask(ctx, "job", memslot.AttemptNumber(1))
	refusal(t, err, memslot.ErrStaleAttempt)
}

// An attempt that is told that an earlier one is over has failed by that: it has ended too.
func TestAnAttemptIsNotTakenForTheOneBefore(t *testing.T) {
	memory := connected(t)
	first, err := memory.BeginTask(ctx, "job")
	must(t, err)
	must(t, first.End(ctx))
	var second *memslot.Task
	err = memory.RunTask(ctx, "job", func(ctx context.Context, task *memslot.Task) error {
		second = task
		_, err := first.Memory.Write(ctx, "late", 1)
		return err
	})
	refusal(t, err, memslot.ErrStaleAttempt)
	_, err = second.Memory.Write(ctx, "late", 1)
	refusal(t, err, memslot.ErrStaleAttempt)
}
