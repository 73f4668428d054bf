package memslot

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"
)

const (
	updateAttempts = 20
	firstPause     = 5 * time.Millisecond
	longestPause   = 500 * time.Millisecond
)

// An UpdateOption says how [Update] goes about it.
type UpdateOption func(*updating)

type updating struct {
	create   bool
	attempts int
}

// OrCreate creates a missing slot from the change of T's zero value.
func OrCreate() UpdateOption { return func(u *updating) { u.create = true } }

// Attempts bounds how often other writers may come first; 20 unless given.
func Attempts(count int) UpdateOption { return func(u *updating) { u.attempts = count } }

// Update replaces a slot's value by what change makes of it, by compare-and-set, and tries anew when another writer came between.
// It returns the value that was written.
//
// The value is a T as [Slot.Decode] gives it; change may run several times. The slot's content type stays where the new value
// fits it. Pauses between attempts grow from 5 ms to 0.5 s, with jitter, and end with the context; the client's timeout is for
// each call.
//
// Its errors: [ErrSlotNotFound] (unless [OrCreate]), [ErrRevisionMismatch] or [ErrSlotExists] when all attempts lost, at once what
// change returned, be it of another slot's race, and those of [Client.Write].
//
//	visits, _, err := memslot.Update(ctx, memory, "visits", func(n int) (int, error) { return n + 1, nil }, memslot.OrCreate())
func Update[T any](
	ctx context.Context, c *Client, name string, change func(T) (T, error), options ...UpdateOption,
) (T, *Receipt, error) {
	asked := updating{attempts: updateAttempts}
	for _, option := range options {
		option(&asked)
	}
	if asked.attempts < 1 {
		var none T
		return none, nil, errors.New("memslot: Update needs at least one attempt")
	}
	ctx = ContextWithRequestID(ctx, "") // each attempt is a mutation of its own
	for attempt := 1; ; attempt++ {
		value, write, err := decided(ctx, c, name, change, asked.create)
		if err != nil {
			return value, nil, err
		}
		receipt, err := write()
		lost := errors.Is(err, ErrRevisionMismatch) || errors.Is(err, ErrSlotExists)
		if !lost || attempt >= asked.attempts {
			return value, receipt, err
		}
		if err := slept(ctx, rand.N(min(longestPause, firstPause<<min(attempt, 10)))); err != nil {
			return value, nil, err
		}
	}
}

// decided returns the new value and the write that is to be tried, of which alone a race may be lost.
func decided[T any](
	ctx context.Context, c *Client, name string, change func(T) (T, error), create bool,
) (value T, write func() (*Receipt, error), err error) {
	slot, err := c.Read(ctx, name)
	absent := create && errors.Is(err, ErrSlotNotFound)
	if err != nil && !absent {
		return value, nil, err
	}
	if !absent {
		if err := slot.Decode(&value); err != nil {
			return value, nil, err
		}
	}
	if value, err = change(value); err != nil {
		return value, nil, err
	}
	if absent {
		return value, func() (*Receipt, error) { return c.Write(ctx, name, value, IfAbsent()) }, nil
	}
	return value, func() (*Receipt, error) { return c.rewrite(ctx, slot, value) }, nil
}

// rewrite writes a new value under the slot's content type, where that fits it.
func (c *Client) rewrite(ctx context.Context, slot *Slot, value any) (*Receipt, error) {
	kind := slot.ContentType
	switch value := value.(type) {
	case []byte:
		if isText(kind) {
			kind = TypeBinary
		}
	case string:
		if isJSON(kind) {
			return c.rewriteJSON(ctx, slot, value)
		}
		if !isText(kind) {
			kind = TypeText
		}
	default:
		return c.rewriteJSON(ctx, slot, value)
	}
	return c.Write(ctx, slot.Name, value, ContentType(kind), IfRevision(slot.Revision))
}

func (c *Client) rewriteJSON(ctx context.Context, slot *Slot, value any) (*Receipt, error) {
	kind := slot.ContentType
	if !isJSON(kind) {
		kind = TypeJSON
	}
	body, err := encodeJSON(value)
	if err != nil {
		return nil, err
	}
	return c.Write(ctx, slot.Name, body, ContentType(kind), IfRevision(slot.Revision))
}
