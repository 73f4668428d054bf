package memslot

import (
	"context"

	memslotv1 "github.com/memslot/memslot/clients/go/memslot/v1"
)

// Write creates a slot or replaces its body; durable when it returns.
//
// A string is stored as text/plain, a []byte as application/octet-stream, anything else as application/json, as encoding/json
// writes it; [ContentType] says otherwise. What no option says keeps what the slot has.
//
// Its errors: [ErrSlotExists], [ErrRevisionMismatch], [ErrBodyTooLarge], [ErrInvalidBody], [ErrInvalidName], [ErrInvalidField],
// [ErrSlotLimitReached], [ErrStoreFull], [ErrOutcomeUnknown].
func (c *Client) Write(ctx context.Context, name string, value any, options ...WriteOption) (*Receipt, error) {
	request, err := replacing(name, value, options)
	return c.write(ctx, request, err)
}

// Append adds a string or a []byte at the end of a slot's body, atomically; an absent slot is created.
//
// Options and errors as in [Client.Write], and [ErrContentTypeMismatch]. The slot's content type stays.
func (c *Client) Append(ctx context.Context, name string, value any, options ...WriteOption) (*Receipt, error) {
	request, err := appending(name, value, options)
	return c.write(ctx, request, err)
}

// Patch changes a JSON body by a merge patch (RFC 7396), atomically: a null removes a key. An absent slot is created from the
// patch, which is whatever encoding/json takes, or a [json.RawMessage].
//
// Options and errors as in [Client.Write], and [ErrContentTypeMismatch] when the body is not JSON.
func (c *Client) Patch(ctx context.Context, name string, changes any, options ...WriteOption) (*Receipt, error) {
	request, err := patching(name, changes, options)
	return c.write(ctx, request, err)
}

func (c *Client) write(ctx context.Context, request *memslotv1.WriteRequest, err error) (*Receipt, error) {
	if err != nil {
		return nil, err
	}
	request.Namespace, request.RequestId = c.namespace, requestID(ctx)
	return mutate(ctx, c, memslotv1.SlotService_Write_FullMethodName, request.RequestId, request, written)
}

func written(reply *memslotv1.WriteResponse) *Receipt { return receiptOf(reply.GetReceipt()) }

func replacing(name string, value any, options []WriteOption) (*memslotv1.WriteRequest, error) {
	request, err := writing(name, memslotv1.WriteMode_WRITE_MODE_REPLACE, options)
	if err != nil {
		return nil, err
	}
	request.Body, request.ContentType, err = encode(value, request.ContentType)
	return request, err
}

// Text and bytes take the slot's type, an absent slot's from themselves.
func appending(name string, value any, options []WriteOption) (*memslotv1.WriteRequest, error) {
	request, err := writing(name, memslotv1.WriteMode_WRITE_MODE_APPEND, options)
	if err != nil {
		return nil, err
	}
	request.Body, _, err = encode(value, request.ContentType)
	return request, err
}

func patching(name string, changes any, options []WriteOption) (*memslotv1.WriteRequest, error) {
	request, err := writing(name, memslotv1.WriteMode_WRITE_MODE_MERGE_PATCH, options)
	if err != nil {
		return nil, err
	}
	request.Body, err = encodeJSON(changes)
	return request, err
}

func writing(name string, mode memslotv1.WriteMode, options []WriteOption) (*memslotv1.WriteRequest, error) {
	request := &memslotv1.WriteRequest{Name: name, Mode: mode}
	for _, option := range options {
		if err := option.toWrite(request); err != nil {
			return nil, err
		}
	}
	return request, nil
}
