package memslot

import (
	"context"

	memslotv1 "github.com/memslot/memslot/clients/go/memslot/v1"
	"github.com/memslot/memslot/clients/go/where"
)

// Forgotten says how many slots were forgotten, whether matching ones remain, and the revision that contains it.
type Forgotten struct {
	Count      int64
	MoreRemain bool
	Revision   int64
}

// A MatchOption says how [Client.ForgetMatching] forgets.
type MatchOption interface {
	toMatch(*memslotv1.ForgetMatchingRequest)
}

type matching func(*memslotv1.ForgetMatchingRequest)

func (m matching) toMatch(request *memslotv1.ForgetMatchingRequest) { m(request) }

// AtMost bounds how many slots are forgotten; more matches are [ErrTooManyMatches], and nothing is forgotten.
func AtMost(count int64) MatchOption {
	return matching(func(r *memslotv1.ForgetMatchingRequest) { r.Max, r.AllowPartial = count, false })
}

// LowestRanked forgets the lowest ranked of the slots that match, at most so many.
func LowestRanked(count int64) MatchOption {
	return matching(func(r *memslotv1.ForgetMatchingRequest) { r.Max, r.AllowPartial = count, true })
}

type erasing struct{}

func (erasing) toForget(request *memslotv1.ForgetRequest) error  { request.Erase = true; return nil }
func (erasing) toMatch(request *memslotv1.ForgetMatchingRequest) { request.Erase = true }

// Erase answers only when the bytes of the bodies are in no file of the store (backups aside), or with [ErrErasePending]: they
// are forgotten, and erasing goes on by itself.
func Erase() interface {
	ForgetOption
	MatchOption
} {
	return erasing{}
}

// Forget removes a slot with its versions. Forgetting what is not there is [OutcomeAbsent], no error.
//
// Its errors: [ErrRevisionMismatch] ([IfRevision]), [ErrErasePending] ([Erase]), [ErrOutcomeUnknown].
func (c *Client) Forget(ctx context.Context, name string, options ...ForgetOption) (*Receipt, error) {
	request, err := forgetting(name, options)
	if err != nil {
		return nil, err
	}
	request.Namespace, request.RequestId = c.namespace, requestID(ctx)
	return mutate(ctx, c, memslotv1.SlotService_Forget_FullMethodName, request.RequestId, request,
		func(reply *memslotv1.ForgetResponse) *Receipt { return receiptOf(reply.GetReceipt()) })
}

func forgetting(name string, options []ForgetOption) (*memslotv1.ForgetRequest, error) {
	request := &memslotv1.ForgetRequest{Name: name}
	for _, option := range options {
		if err := option.toForget(request); err != nil {
			return nil, err
		}
	}
	return request, nil
}

// ForgetMatching removes all slots for which a condition holds, in portions of 500; a call that was cut short may be repeated.
//
// Its errors: [ErrTooManyMatches] ([AtMost]), [ErrInvalidFilter], [ErrErasePending], [ErrOutcomeUnknown].
func (c *Client) ForgetMatching(ctx context.Context, filter *where.Filter, options ...MatchOption) (*Forgotten, error) {
	if filter == nil {
		filter = &where.Filter{} // which the sidecar refuses, rather than to forget all
	}
	return c.forgetMatching(ctx, &memslotv1.ForgetMatchingRequest{Filter: filter}, options)
}

// ForgetAll removes all slots of the namespace. Its errors are those of [Client.ForgetMatching].
func (c *Client) ForgetAll(ctx context.Context, options ...MatchOption) (*Forgotten, error) {
	return c.forgetMatching(ctx, &memslotv1.ForgetMatchingRequest{All: true}, options)
}

func (c *Client) forgetMatching(ctx context.Context, request *memslotv1.ForgetMatchingRequest, options []MatchOption) (*Forgotten, error) {
	for _, option := range options {
		option.toMatch(request)
	}
	request.Namespace, request.RequestId = c.namespace, requestID(ctx)
	return mutate(ctx, c, memslotv1.SlotService_ForgetMatching_FullMethodName, request.RequestId, request,
		func(reply *memslotv1.ForgetMatchingResponse) *Forgotten {
			return &Forgotten{Count: reply.GetForgotten(), MoreRemain: reply.GetMoreRemain(), Revision: reply.GetRevision()}
		})
}
