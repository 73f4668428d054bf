package memslot

import (
	"context"
	"errors"
	"slices"

	memslotv1 "github.com/memslot/memslot/clients/go/memslot/v1"
)

const searchPage = 100

// A SearchMode says by what a search finds.
type SearchMode = memslotv1.SearchMode

// By what a search finds.
const (
	SearchAuto     = memslotv1.SearchMode_SEARCH_MODE_AUTO
	SearchFulltext = memslotv1.SearchMode_SEARCH_MODE_FULLTEXT
	SearchVector   = memslotv1.SearchMode_SEARCH_MODE_VECTOR
	SearchHybrid   = memslotv1.SearchMode_SEARCH_MODE_HYBRID
)

// A Hit is a slot that a search found.
type Hit struct {
	Name string
	// Score is higher for what fits better; comparable only within one search.
	Score     float64
	MatchedBy []Match
	// Info is there with [WithInfo] and [WithSummaries]; its Summary with the latter, where one is at hand.
	Info *SlotInfo
}

// A SearchResult holds the hits of a search, best first, no two of the same slot.
type SearchResult struct {
	Hits []Hit
	// Mode is by what was searched.
	Mode SearchMode
	// IndexedRevision is the one up to which all that was searched is complete.
	IndexedRevision int64
	// Degraded says why less was searched than was asked for, a sentence each; empty when all is well.
	Degraded []string
	// NextToken is for [PageToken]; empty when there is no more.
	NextToken string
	Revision  int64
}

// A SearchOption narrows or widens a search.
type SearchOption interface{ toSearch(*search) }

type search struct {
	request *memslotv1.SearchRequest
	limit   int
}

type seeking func(*search)

func (s seeking) toSearch(asked *search) { s(asked) }

func (p paged) toSearch(s *search)    { s.request.PageToken = string(p) }
func (f filtered) toSearch(s *search) { s.request.Filter = f.filter }
func (n limit) toSearch(s *search)    { s.limit = int(n) }
func (informed) toSearch(s *search) {
	s.request.View = max(s.request.View, memslotv1.SearchView_SEARCH_VIEW_INFO)
}

// ByVector searches by a vector of the size of the namespace's vectors; it takes the place of the text's own.
func ByVector(vector []float32) SearchOption {
	return seeking(func(s *search) { s.request.Vector = vector })
}

// InMode says by what to search; by default by all that the namespace's index and the request allow.
func InMode(mode SearchMode) SearchOption {
	return seeking(func(s *search) { s.request.Mode = mode })
}

// MinRevision waits until the index contains a revision, such as a receipt's, vectors included.
func MinRevision(revision int64) SearchOption {
	return seeking(func(s *search) { s.request.MinRevision = revision })
}

// NeighborWeight lets slots that were written next to each other, in one task type, lend each other of their score: 0 to 1.
func NeighborWeight(weight float64) SearchOption {
	return seeking(func(s *search) { s.request.NeighborWeight = &weight })
}

// WithSummaries brings the summary too, where one is at hand.
func WithSummaries() interface {
	SearchOption
	DescribeOption
} {
	return summarised{}
}

type summarised struct{}

func (summarised) toSearch(s *search) { s.request.View = memslotv1.SearchView_SEARCH_VIEW_SUMMARY }

// Search finds slots by words, by meaning, or both, best first, without their bodies.
//
// The text is in plain words: those that are rare count more, a "phrase" in double quotes must match, pref* stands for any
// ending, and nothing is a syntax error. A slot is found by its words as soon as its write was answered; vectors that the server
// makes follow.
//
// Its errors: [ErrIndexNotEnabled], [ErrIndexOutdated], [ErrIndexBehind] ([MinRevision]), [ErrDimensionMismatch],
// [ErrInvalidField], [ErrInvalidFilter], [ErrInvalidPageToken], and, in mode [SearchVector], [ErrIndexUnavailable].
func (c *Client) Search(ctx context.Context, text string, options ...SearchOption) (*SearchResult, error) {
	asked := &search{request: &memslotv1.SearchRequest{Namespace: c.namespace, Text: text}, limit: 10}
	for _, option := range options {
		option.toSearch(asked)
	}
	switch {
	case text == "" && len(asked.request.Vector) == 0:
		return nil, errors.New("memslot: say what to look for: a text, ByVector, or both")
	case asked.limit < 1:
		return nil, errors.New("memslot: the limit of a search is at least 1")
	}
	return c.search(ctx, asked)
}

// search gathers as many pages as the limit takes: complete as far as the least complete of them.
func (c *Client) search(ctx context.Context, asked *search) (*SearchResult, error) {
	result, seen := &SearchResult{}, map[string]bool{}
	for first := true; ; first = false {
		asked.request.Limit = int32(min(asked.limit-len(result.Hits), searchPage))
		reply, err := ask[memslotv1.SearchResponse](ctx, c, memslotv1.SlotService_Search_FullMethodName, asked.request)
		if err != nil {
			return nil, err
		}
		for _, hit := range reply.GetHits() {
			if !seen[hit.GetName()] {
				seen[hit.GetName()] = true
				result.Hits = append(result.Hits, hitOf(hit))
			}
		}
		for _, why := range reply.GetDegraded() {
			if !slices.Contains(result.Degraded, why) {
				result.Degraded = append(result.Degraded, why)
			}
		}
		if first || reply.GetIndexedRevision() < result.IndexedRevision {
			result.IndexedRevision = reply.GetIndexedRevision()
		}
		result.Mode, result.Revision, result.NextToken = reply.GetMode(), reply.GetRevision(), reply.GetNextPageToken()
		asked.request.PageToken = result.NextToken
		if len(result.Hits) >= asked.limit || len(reply.GetHits()) == 0 || result.NextToken == "" {
			return result, nil
		}
	}
}

func hitOf(message *memslotv1.SearchHit) Hit {
	hit := Hit{Name: message.GetName(), Score: message.GetScore(), MatchedBy: message.GetMatchedBy()}
	if message.GetInfo() != nil {
		info := infoOf(message.GetInfo())
		info.Summary = summaryOf(message.GetSummary())
		hit.Info = &info
	}
	return hit
}
