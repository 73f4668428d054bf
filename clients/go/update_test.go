package memslot_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	memslot "github.com/memslot/memslot/clients/go"
)

// Of many writers at once each one's change is there, exactly once.
func TestConcurrentUpdates(t *testing.T) {
	memory := connected(t)
	_, err := memory.Forget(ctx, "seen") // of a run before
	must(t, err)
	var working sync.WaitGroup
	for writer := range 16 {
		working.Go(func() {
			_, _, err := memslot.Update(ctx, memory, "seen", func(seen []int) ([]int, error) {
				return append(seen, writer), nil
			}, memslot.OrCreate(), memslot.Attempts(200))
			must(t, err)
		})
	}
	working.Wait()
	seen, err := memslot.ReadAs[[]int](ctx, memory, "seen")
	must(t, err)
	slices.Sort(seen)
	if want := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}; !slices.Equal(seen, want) {
		t.Errorf("got %v", seen)
	}
}

// The slot's content type stays where the new value fits it.
func TestUpdateKeepsTheType(t *testing.T) {
	memory := connected(t)
	for _, one := range []struct {
		before, after string
		update        func() error
	}{
		{"text/markdown", "text/markdown", updateOf(memory, func(text string) (string, error) { return text + "!", nil })},
		{"application/ld+json", "application/ld+json", updateOf(memory, func(any) (any, error) { return 1, nil })},
		{"image/png", "image/png", updateOf(memory, func(octets []byte) ([]byte, error) { return octets, nil })},
		{"text/markdown", "application/octet-stream", updateOf(memory, func(octets []byte) ([]byte, error) { return octets, nil })},
		{"text/plain", "application/json", updateOf(memory, func(any) (any, error) { return []int{}, nil })},
		{"application/json", "application/json", updateOf(memory, func(string) (string, error) { return "text", nil })},
	} {
		_, err := memory.Write(ctx, "slot", []byte(`"x"`), memslot.ContentType(one.before))
		must(t, err)
		must(t, one.update())
		info, err := memory.Describe(ctx, "slot")
		must(t, err)
		equal(t, info.ContentType, one.after)
	}
}

func updateOf[T any](memory *memslot.Client, change func(T) (T, error)) func() error {
	return func() error {
		_, _, err := memslot.Update(ctx, memory, "slot", change)
		return err
	}
}

// A change that fails, a slot that is not there, and losing too often are errors, and nothing is written.
func TestUpdatesThatFail(t *testing.T) {
	memory := connected(t)
	_, _, err := memslot.Update(ctx, memory, "n", func(n int) (int, error) { return n + 1, nil })
	refusal(t, err, memslot.ErrSlotNotFound)
	_, err = memory.Write(ctx, "n", 1)
	must(t, err)
	refused := errors.New("refused")
	_, _, err = memslot.Update(ctx, memory, "n", func(n int) (int, error) { return n + 1, refused })
	equal(t, errors.Is(err, refused), true)
	runs := 0
	_, _, err = memslot.Update(ctx, memory, "n", func(n int) (int, error) {
		runs++
		_, err := memory.Write(ctx, "n", 100+runs)
		return n, err
	}, memslot.Attempts(3))
	refusal(t, err, memslot.ErrRevisionMismatch)
	equal(t, runs, 3)
	_, _, err = memslot.Update(ctx, memory, "n", func(n int) (int, error) { return n, nil }, memslot.Attempts(0))
	equal(t, err != nil, true)
	gone, cancel := context.WithCancel(ctx)
	cancel()
	_, _, err = memslot.Update(gone, memory, "n", func(n int) (int, error) { return n, nil })
	equal(t, errors.Is(err, context.Canceled), true)
}
