package memslot

import (
	"context"
	"iter"

	memslotv1 "github.com/memslot/memslot/clients/go/memslot/v1"
	"google.golang.org/protobuf/types/known/fieldmaskpb"
)

// UpdateInfo changes what is known about a slot, or when it expires, without touching its body. What no option names stays; an
// empty value clears.
//
// Its errors: [ErrSlotNotFound], [ErrRevisionMismatch] ([IfRevision]), [ErrInvalidField], [ErrOutcomeUnknown].
func (c *Client) UpdateInfo(ctx context.Context, name string, options ...InfoOption) (*Receipt, error) {
	request := &memslotv1.UpdateInfoRequest{
		Namespace: c.namespace, Name: name, Info: &memslotv1.SlotInfo{}, UpdateMask: &fieldmaskpb.FieldMask{}, RequestId: requestID(ctx),
	}
	for _, option := range options {
		if err := option.toInfo(request); err != nil {
			return nil, err
		}
	}
	return mutate(ctx, c, memslotv1.SlotService_UpdateInfo_FullMethodName, request.RequestId, request,
		func(reply *memslotv1.UpdateInfoResponse) *Receipt { return receiptOf(reply.GetReceipt()) })
}

// A VersionInfo is a kept version of a slot, without its body: its Revision is for [Client.ReadVersion].
type VersionInfo = memslotv1.VersionInfo

// Versions iterates over the versions that the namespace keeps of a slot, newest first, the current one included. An error, such
// as [ErrSlotNotFound], ends it.
func (c *Client) Versions(ctx context.Context, name string) iter.Seq2[*VersionInfo, error] {
	return pages(func(token string) ([]*VersionInfo, string, error) {
		request := &memslotv1.ListVersionsRequest{Namespace: c.namespace, Name: name, PageSize: pageLimit, PageToken: token}
		reply, err := ask[memslotv1.ListVersionsResponse](ctx, c, memslotv1.SlotService_ListVersions_FullMethodName, request)
		return reply.GetVersions(), reply.GetNextPageToken(), err
	})
}

// ReadVersion returns the version of a slot that a revision made, with its body. Tags, attributes and counters are those of today.
//
// Its errors: [ErrSlotNotFound], [ErrVersionNotFound].
func (c *Client) ReadVersion(ctx context.Context, name string, revision int64) (*Slot, error) {
	request := &memslotv1.ReadVersionRequest{Namespace: c.namespace, Name: name, VersionRevision: revision}
	reply, err := ask[memslotv1.ReadVersionResponse](ctx, c, memslotv1.SlotService_ReadVersion_FullMethodName, request)
	if err != nil {
		return nil, err
	}
	return slotOf(reply.GetSlot()), nil
}
