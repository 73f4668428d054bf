package memslot

import (
	"context"
	"fmt"
	"io"

	memslotv1 "github.com/memslot/memslot/clients/go/memslot/v1"
	"google.golang.org/protobuf/proto"
)

// A Batch is up to 128 operations on different slots of one namespace, for [Client.Commit]: all happen, or none. Its methods return
// it, so that calls can be chained; the first that cannot be is the error of the commit.
//
//	new(memslot.Batch).Write("a", 1, memslot.IfAbsent()).Forget("b").Check("c", memslot.IfRevision(7))
type Batch struct {
	operations hidden[[]*memslotv1.CommitOperation]
	err        error
}

// Committed is the answer to a commit: a receipt for each operation, in order, and the one revision of all.
type Committed struct {
	Receipts []*Receipt
	Revision int64
}

// Write creates a slot or replaces its body; arguments as in [Client.Write].
func (b *Batch) Write(name string, value any, options ...WriteOption) *Batch {
	request, err := replacing(name, value, options)
	return b.add(&memslotv1.CommitOperation{Operation: &memslotv1.CommitOperation_Write{Write: request}}, err)
}

// Append adds to the end of a body; arguments as in [Client.Append].
func (b *Batch) Append(name string, value any, options ...WriteOption) *Batch {
	request, err := appending(name, value, options)
	return b.add(&memslotv1.CommitOperation{Operation: &memslotv1.CommitOperation_Write{Write: request}}, err)
}

// Patch merges changes into a JSON body; arguments as in [Client.Patch].
func (b *Batch) Patch(name string, changes any, options ...WriteOption) *Batch {
	request, err := patching(name, changes, options)
	return b.add(&memslotv1.CommitOperation{Operation: &memslotv1.CommitOperation_Write{Write: request}}, err)
}

// Forget removes a slot; arguments as in [Client.Forget].
func (b *Batch) Forget(name string, options ...ForgetOption) *Batch {
	request, err := forgetting(name, options)
	return b.add(&memslotv1.CommitOperation{Operation: &memslotv1.CommitOperation_Forget{Forget: request}}, err)
}

// Check demands that a slot that is not changed is absent ([IfAbsent]), or at a revision ([IfRevision]).
func (b *Batch) Check(name string, condition CheckOption) *Batch {
	check := &memslotv1.CommitCheck{Name: name}
	err := condition.toCheck(check)
	return b.add(&memslotv1.CommitOperation{Operation: &memslotv1.CommitOperation_Check{Check: check}}, err)
}

// Len is how many operations there are.
func (b *Batch) Len() int { return len(b.operations.get()) }

// Format tells how many operations there are, whatever the verb.
func (b Batch) Format(state fmt.State, _ rune) {
	_, _ = io.WriteString(state, fmt.Sprintf("memslot.Batch(%d operations)", b.Len()))
}

func (b *Batch) add(operation *memslotv1.CommitOperation, err error) *Batch {
	if b.err == nil && err != nil {
		b.err = fmt.Errorf("operation %d: %w", b.Len(), err)
	}
	kept := proto.CloneOf(operation) // what the caller gave may change before the commit
	b.operations = hide(append(b.operations.get(), kept))
	return b
}

// Commit applies the operations of a batch as one atomic transaction with one revision. Checks and preconditions see the state
// before; on failure nothing is changed, and `op_index` in [Error.Metadata] names the operation. Its errors are those of
// [Client.Write] and [Client.Forget].
func (c *Client) Commit(ctx context.Context, batch *Batch) (*Committed, error) {
	if batch.err != nil {
		return nil, batch.err
	}
	request := &memslotv1.CommitRequest{Namespace: c.namespace, Operations: batch.operations.get(), RequestId: requestID(ctx)}
	return mutate(ctx, c, memslotv1.SlotService_Commit_FullMethodName, request.RequestId, request,
		func(reply *memslotv1.CommitResponse) *Committed {
			committed := &Committed{Receipts: make([]*Receipt, len(reply.GetResults())), Revision: reply.GetRevision()}
			for at, result := range reply.GetResults() {
				committed.Receipts[at] = receiptOf(result.GetReceipt())
			}
			return committed
		})
}
