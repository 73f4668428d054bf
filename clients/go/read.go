package memslot

import (
	"context"

	memslotv1 "github.com/memslot/memslot/clients/go/memslot/v1"
)

// Read returns a slot with its body, which counts as an access.
//
// Its errors: [ErrSlotNotFound] (also for an expired slot), [ErrInvalidName].
func (c *Client) Read(ctx context.Context, name string) (*Slot, error) {
	reply, err := c.read(ctx, &memslotv1.ReadRequest{Name: name})
	if err != nil {
		return nil, err
	}
	return slotOf(reply.GetSlot()), nil
}

// ReadIfChanged returns a slot unless it is still at a revision; then changed is false: a cheap poll. Its errors are those of
// [Client.Read].
func (c *Client) ReadIfChanged(ctx context.Context, name string, revision int64) (slot *Slot, changed bool, err error) {
	reply, err := c.read(ctx, &memslotv1.ReadRequest{Name: name, IfRevisionNot: revision})
	if err != nil || reply.GetNotModified() {
		return nil, false, err
	}
	return slotOf(reply.GetSlot()), true, nil
}

// Summary returns a summary of a slot's body, which is no access; a text that is no longer than a summary stands for itself. ok is
// false for a body that is no text. Its errors are those of [Client.Read].
func (c *Client) Summary(ctx context.Context, name string) (summary *Summary, ok bool, err error) {
	reply, err := c.read(ctx, &memslotv1.ReadRequest{Name: name, View: memslotv1.ReadView_READ_VIEW_SUMMARY})
	if err != nil {
		return nil, false, err
	}
	summary = summaryOf(reply.GetSummary())
	return summary, summary != nil, nil
}

func (c *Client) read(ctx context.Context, request *memslotv1.ReadRequest) (*memslotv1.ReadResponse, error) {
	request.Namespace = c.namespace
	return ask[memslotv1.ReadResponse](ctx, c, memslotv1.SlotService_Read_FullMethodName, request)
}

// ReadAs returns a slot's value as a T: a string for text, a []byte for any body, anything else from JSON (see [Slot.Decode]). Its
// errors are those of [Client.Read], and one that tells where the body does not fit.
func ReadAs[T any](ctx context.Context, c *Client, name string) (T, error) {
	var value T
	slot, err := c.Read(ctx, name)
	if err != nil {
		return value, err
	}
	err = slot.Decode(&value)
	return value, err
}
