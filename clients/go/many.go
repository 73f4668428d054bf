package memslot

import (
	"context"
	"errors"

	memslotv1 "github.com/memslot/memslot/clients/go/memslot/v1"
	spb "google.golang.org/genproto/googleapis/rpc/status"
)

// A DescribeOption says what is described.
type DescribeOption interface {
	toDescribe(*memslotv1.DescribeRequest)
}

func (summarised) toDescribe(request *memslotv1.DescribeRequest) { request.Summaries = true }

// Describe returns everything about a slot but its body; this is no access.
//
// Its errors: [ErrSlotNotFound], [ErrInvalidName].
func (c *Client) Describe(ctx context.Context, name string, options ...DescribeOption) (*SlotInfo, error) {
	reply, err := c.describe(ctx, []string{name}, options)
	if err != nil {
		return nil, err
	}
	if len(reply.GetResults()) != 1 {
		return nil, errAnswers
	}
	result := reply.GetResults()[0]
	if result.GetInfo() == nil {
		return nil, statusError(result.GetStatus())
	}
	return describedOf(result), nil
}

// DescribeMany returns everything but the bodies of several slots, by name; names of which there is no slot are left out. It makes
// a call for each 1000 names.
func (c *Client) DescribeMany(ctx context.Context, names []string, options ...DescribeOption) (map[string]*SlotInfo, error) {
	return many(names, func(portion []string) ([]*memslotv1.DescribeResult, error) {
		reply, err := c.describe(ctx, portion, options)
		return reply.GetResults(), err
	}, func(result *memslotv1.DescribeResult) *SlotInfo {
		if result.GetInfo() == nil {
			return nil
		}
		return describedOf(result)
	})
}

// ReadMany returns several slots with their bodies, by name; names of which there is no slot are left out. It makes as many calls
// as the size of the bodies takes.
func (c *Client) ReadMany(ctx context.Context, names ...string) (map[string]*Slot, error) {
	return many(names, func(portion []string) ([]*memslotv1.BatchReadResult, error) {
		request := &memslotv1.BatchReadRequest{Namespace: c.namespace, Names: portion}
		reply, err := ask[memslotv1.BatchReadResponse](ctx, c, memslotv1.SlotService_BatchRead_FullMethodName, request)
		return reply.GetResults(), err
	}, func(result *memslotv1.BatchReadResult) *Slot {
		if result.GetSlot() == nil {
			return nil
		}
		return slotOf(result.GetSlot())
	})
}

func (c *Client) describe(ctx context.Context, names []string, options []DescribeOption) (*memslotv1.DescribeResponse, error) {
	request := &memslotv1.DescribeRequest{Namespace: c.namespace, Names: names}
	for _, option := range options {
		option.toDescribe(request)
	}
	return ask[memslotv1.DescribeResponse](ctx, c, memslotv1.SlotService_Describe_FullMethodName, request)
}

func describedOf(result *memslotv1.DescribeResult) *SlotInfo {
	info := infoOf(result.GetInfo())
	info.Summary = summaryOf(result.GetSummary())
	return &info
}

var errAnswers = errors.New("memslot: the sidecar did not answer for each name")

// many asks for names in portions, and again for those for which a reply had no room. A name that was asked for alone had the whole
// reply to itself.
func many[R interface{ GetStatus() *spb.Status }, T any](
	names []string, next func([]string) ([]R, error), parse func(R) *T,
) (map[string]*T, error) {
	found, waiting, size := map[string]*T{}, distinct(names), pageLimit
	for len(waiting) > 0 {
		portion := waiting[:min(size, len(waiting))]
		results, err := next(portion)
		if err != nil {
			return nil, err
		}
		if len(results) != len(portion) {
			return nil, errAnswers
		}
		var again []string
		for at, result := range results {
			if item := parse(result); item != nil {
				found[portion[at]] = item
				continue
			}
			switch failed := statusError(result.GetStatus()); {
			case failed.Reason == ErrReplyBudget && len(portion) > 1:
				again = append(again, portion[at])
			case failed.Reason != ErrSlotNotFound:
				return nil, failed
			}
		}
		waiting = append(again, waiting[len(portion):]...)
		size = pageLimit
		if len(again) == len(portion) {
			size = 1 // the first is too large to come beside what is said of the others
		}
	}
	return found, nil
}

func distinct(names []string) []string {
	seen, once := make(map[string]bool, len(names)), make([]string, 0, len(names))
	for _, name := range names {
		if !seen[name] {
			seen[name] = true
			once = append(once, name)
		}
	}
	return once
}
