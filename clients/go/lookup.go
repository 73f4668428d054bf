package memslot

import (
	"context"
	"errors"
	"iter"

	memslotv1 "github.com/memslot/memslot/clients/go/memslot/v1"
	"github.com/memslot/memslot/clients/go/where"
)

// An Entry is a slot that a lookup found.
type Entry struct {
	Name      string
	Namespace string
	// Info is there with [WithInfo].
	Info *SlotInfo
}

var errNegative = errors.New("memslot: the limit of a lookup is at least 0")

// A Page is one page of a lookup.
type Page struct {
	Entries []Entry
	// NextToken is for [PageToken]; empty on the last page.
	NextToken string
	// Total is how many slots match, with [CountTotal]; with AtLeast there are at least so many.
	Total    int64
	AtLeast  bool
	Revision int64
}

// A LookupOption narrows or orders a lookup.
type LookupOption interface{ toLookup(*lookup) }

// lookup is a lookup as it was asked for: its request, and how many entries there shall be at most (below 0: all).
type lookup struct {
	request *memslotv1.LookupRequest
	left    int
	// negative: a limit below 0 was given, which is nothing to look for.
	negative bool
}

type looking func(*lookup)

func (l looking) toLookup(asked *lookup) { l(asked) }

// OrderBy says in which order slots come; by default by rank.
func OrderBy(order Order) LookupOption {
	return looking(func(l *lookup) { l.request.OrderBy = order })
}

// Reverse turns the order around.
func Reverse() LookupOption {
	return looking(func(l *lookup) { l.request.Reverse = true })
}

// PageSize is how many slots come with one call: 50 unless given, at most 1000.
func PageSize(count int32) LookupOption {
	return looking(func(l *lookup) { l.request.PageSize = count })
}

// PageToken begins behind the page that gave the token.
func PageToken(token string) interface {
	LookupOption
	SearchOption
} {
	return paged(token)
}

// CountTotal counts all matches too, up to 10,000; for [Client.LookupPage].
func CountTotal() LookupOption {
	return looking(func(l *lookup) { l.request.Total = true })
}

// MaxBytes bounds the reply of one call; by default 4,000,000.
func MaxBytes(count int32) LookupOption {
	return looking(func(l *lookup) { l.request.MaxBytes = count })
}

// Recursive takes the namespaces below too.
func Recursive() interface {
	LookupOption
	MatchOption
} {
	return below{}
}

// Where takes only slots for which a condition holds.
func Where(filter *where.Filter) interface {
	LookupOption
	SearchOption
} {
	return filtered{filter}
}

// WithInfo brings everything but the body.
func WithInfo() interface {
	LookupOption
	SearchOption
} {
	return informed{}
}

// Limit bounds how many slots come in all. A search brings 10 unless given, and 1000 at most.
func Limit(count int) interface {
	LookupOption
	SearchOption
} {
	return limit(count)
}

type (
	paged    string
	below    struct{}
	filtered struct{ filter *where.Filter }
	informed struct{}
	limit    int
)

func (p paged) toLookup(l *lookup)                             { l.request.PageToken = string(p) }
func (below) toLookup(l *lookup)                               { l.request.Recursive = true }
func (below) toMatch(request *memslotv1.ForgetMatchingRequest) { request.Recursive = true }
func (f filtered) toLookup(l *lookup)                          { l.request.Filter = f.filter }
func (informed) toLookup(l *lookup)                            { l.request.View = memslotv1.LookupView_LOOKUP_VIEW_INFO }
func (n limit) toLookup(l *lookup)                             { l.left, l.negative = max(0, int(n)), n < 0 }

// Lookup iterates over the slots whose names start with prefix, without their bodies, and calls as it goes. An error ends it:
// [ErrInvalidName], [ErrInvalidFilter].
//
//	for entry, err := range memory.Lookup(ctx, "plan/", memslot.Where(where.TagsAny("draft"))) {
//		if err != nil {
//			return err
//		}
//		...
//	}
func (c *Client) Lookup(ctx context.Context, prefix string, options ...LookupOption) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		asked := c.lookingUp(prefix, options)
		if asked.negative {
			yield(Entry{}, errNegative)
			return
		}
		if asked.left == 0 {
			return
		}
		pages(func(token string) ([]Entry, string, error) {
			if token != "" { // else the first page, which may be that of an option
				asked.request.PageToken = token
			}
			page, err := c.lookupPage(ctx, asked)
			if err != nil {
				return nil, "", err
			}
			if asked.left < 0 {
				return page.Entries, page.NextToken, nil
			}
			taken := page.Entries[:min(asked.left, len(page.Entries))]
			if asked.left -= len(taken); asked.left == 0 {
				return taken, "", nil
			}
			return taken, page.NextToken, nil
		})(yield)
	}
}

// LookupPage returns one page of a lookup, for whoever keeps the place. Errors as in [Client.Lookup], [ErrInvalidPageToken] and
// [ErrStoreReplaced].
func (c *Client) LookupPage(ctx context.Context, prefix string, options ...LookupOption) (*Page, error) {
	asked := c.lookingUp(prefix, options)
	if asked.negative {
		return nil, errNegative
	}
	if asked.left == 0 {
		return &Page{}, nil
	}
	return c.lookupPage(ctx, asked)
}

func (c *Client) lookingUp(prefix string, options []LookupOption) *lookup {
	asked := &lookup{request: &memslotv1.LookupRequest{Namespace: c.namespace, NamePrefix: prefix}, left: -1}
	for _, option := range options {
		option.toLookup(asked)
	}
	return asked
}

// lookupPage asks for one page, of no more than are left to bring.
func (c *Client) lookupPage(ctx context.Context, asked *lookup) (*Page, error) {
	request := asked.request
	if size := int(request.PageSize); asked.left > 0 && (size <= 0 || size > asked.left) {
		request.PageSize = int32(min(asked.left, pageLimit))
	}
	reply, err := ask[memslotv1.LookupResponse](ctx, c, memslotv1.SlotService_Lookup_FullMethodName, request)
	if err != nil {
		return nil, err
	}
	page := &Page{
		Entries: make([]Entry, len(reply.GetSlots())), NextToken: reply.GetNextPageToken(), Total: reply.GetTotal(),
		AtLeast: reply.GetTotalIsLowerBound(), Revision: reply.GetRevision(),
	}
	for at, slot := range reply.GetSlots() {
		page.Entries[at] = Entry{Name: slot.GetName(), Namespace: firstOf(slot.GetNamespace(), c.namespace)}
		if request.GetView() == memslotv1.LookupView_LOOKUP_VIEW_INFO {
			info := infoOf(slot)
			page.Entries[at].Info = &info
		}
	}
	return page, nil
}
