package memslot

import (
	"context"
	"iter"
	"slices"
	"time"

	memslotv1 "github.com/memslot/memslot/clients/go/memslot/v1"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/fieldmaskpb"
)

// A NamespaceInfo is a namespace: what was set in it, what holds in it, and its use.
type NamespaceInfo = memslotv1.Namespace

// Namespaces are the calls about namespaces.
type Namespaces struct{ client *Client }

// Namespaces returns the calls about namespaces.
func (c *Client) Namespaces() Namespaces { return Namespaces{c} }

// A Setting is one of what bounds a namespace.
type Setting func(*memslotv1.UpdateNamespaceRequest)

func setting(path string, set func(*memslotv1.NamespaceSettings)) Setting {
	return func(request *memslotv1.UpdateNamespaceRequest) {
		set(request.Settings)
		if !slices.Contains(request.UpdateMask.Paths, path) {
			request.UpdateMask.Paths = append(request.UpdateMask.Paths, path)
		}
	}
}

// Inherit takes settings, by their names in the contract such as `ttl_max`, from the namespaces above and the server again.
func Inherit(names ...string) Setting {
	return func(request *memslotv1.UpdateNamespaceRequest) {
		request.UpdateMask.Paths = append(request.UpdateMask.Paths, names...)
	}
}

// SlotLimit is how many slots it may hold.
func SlotLimit(count int64) Setting {
	return setting("slot_limit", func(s *memslotv1.NamespaceSettings) { s.SlotLimit = &count })
}

// BodyLimit is how many bytes a body may have, at most 3,900,000.
func BodyLimit(bytes int64) Setting {
	return setting("body_limit_bytes", func(s *memslotv1.NamespaceSettings) { s.BodyLimitBytes = &bytes })
}

// DefaultTTL is how long a slot lives when its writer says nothing.
func DefaultTTL(span time.Duration) Setting {
	return setting("ttl_default", func(s *memslotv1.NamespaceSettings) { s.TtlDefault = durationpb.New(span) })
}

// MaxTTL is how long a slot may live at most.
func MaxTTL(span time.Duration) Setting {
	return setting("ttl_max", func(s *memslotv1.NamespaceSettings) { s.TtlMax = durationpb.New(span) })
}

// RefreshOnRead says whether a read renews the slot's time to live.
func RefreshOnRead(refresh bool) Setting {
	return setting("ttl_refresh_on_read", func(s *memslotv1.NamespaceSettings) { s.TtlRefreshOnRead = &refresh })
}

// KeepVersions is how many versions of a slot are kept, the current one included.
func KeepVersions(count int32) Setting {
	return setting("versions_kept", func(s *memslotv1.NamespaceSettings) { s.VersionsKept = &count })
}

// EvictLowestRank lets the slot of the lowest rank make room when the namespace is full, instead of refusing a new one.
func EvictLowestRank(evict bool) Setting {
	choice := memslotv1.Overflow_OVERFLOW_REJECT
	if evict {
		choice = memslotv1.Overflow_OVERFLOW_EVICT_LOWEST_RANK
	}
	return setting("overflow", func(s *memslotv1.NamespaceSettings) { s.Overflow = choice })
}

// EraseOnForget says whether each forget erases.
func EraseOnForget(erase bool) Setting {
	return setting("erase_on_forget", func(s *memslotv1.NamespaceSettings) { s.EraseOnForget = &erase })
}

// An IndexMode says by what the slots of a namespace can be found.
type IndexMode = memslotv1.IndexMode

// By what the slots of a namespace can be found: by name and metadata, by words too, or by words and by vectors.
const (
	IndexKeys     = memslotv1.IndexMode_INDEX_MODE_KEYS
	IndexFulltext = memslotv1.IndexMode_INDEX_MODE_FULLTEXT
	IndexHybrid   = memslotv1.IndexMode_INDEX_MODE_HYBRID
)

// IndexBy says by what the slots can be found.
func IndexBy(mode IndexMode) Setting {
	return setting("index_mode", func(s *memslotv1.NamespaceSettings) { s.IndexMode = mode })
}

// Embedder is what makes vectors with [IndexHybrid]: `none`, or one that the server has.
func Embedder(name string) Setting {
	return setting("embedder", func(s *memslotv1.NamespaceSettings) { s.Embedder = &name })
}

// VectorIndex is what compares vectors.
func VectorIndex(kind VectorIndexKind) Setting {
	return setting("vector_index", func(s *memslotv1.NamespaceSettings) { s.VectorIndex = kind })
}

// Summaries says of which bodies summaries are made in the background.
func Summaries(mode SummaryMode) Setting {
	return setting("summary_mode", func(s *memslotv1.NamespaceSettings) { s.SummaryMode = mode })
}

// SummariesAbove makes them of text bodies of at least so many bytes.
func SummariesAbove(bytes int64) Setting {
	return setting("summary_above_bytes", func(s *memslotv1.NamespaceSettings) { s.SummaryAboveBytes = &bytes })
}

// SummariesBelowRank makes them of shorter ones too, while their rank is below this.
func SummariesBelowRank(rank float64) Setting {
	return setting("summary_below_rank", func(s *memslotv1.NamespaceSettings) { s.SummaryBelowRank = &rank })
}

// Update creates or configures a namespace (a whole path; empty is the client's own). What no setting names stays.
//
// Its errors: [ErrInvalidName], [ErrInvalidField], [ErrSettingAboveCap], [ErrStoreFull], [ErrOutcomeUnknown].
func (n Namespaces) Update(ctx context.Context, path string, settings ...Setting) (*NamespaceInfo, error) {
	request := &memslotv1.UpdateNamespaceRequest{
		Namespace: firstOf(path, n.client.namespace), Settings: &memslotv1.NamespaceSettings{},
		UpdateMask: &fieldmaskpb.FieldMask{}, RequestId: requestID(ctx),
	}
	for _, set := range settings {
		set(request)
	}
	return mutate(ctx, n.client, memslotv1.NamespaceService_UpdateNamespace_FullMethodName, request.RequestId, request,
		(*memslotv1.UpdateNamespaceResponse).GetNamespace)
}

// Get returns a namespace (empty is the client's own) with its settings and use, or [ErrNamespaceNotFound].
func (n Namespaces) Get(ctx context.Context, path string) (*NamespaceInfo, error) {
	request := &memslotv1.GetNamespaceRequest{Namespace: firstOf(path, n.client.namespace)}
	reply, err := ask[memslotv1.GetNamespaceResponse](ctx, n.client, memslotv1.NamespaceService_GetNamespace_FullMethodName, request)
	return reply.GetNamespace(), err
}

// List iterates over the namespaces in the byte order of their paths: all, or a parent and those below it. An error ends it.
func (n Namespaces) List(ctx context.Context, parent string) iter.Seq2[*NamespaceInfo, error] {
	return pages(func(token string) ([]*NamespaceInfo, string, error) {
		request := &memslotv1.ListNamespacesRequest{Parent: parent, PageSize: pageLimit, PageToken: token}
		reply, err := ask[memslotv1.ListNamespacesResponse](ctx, n.client, memslotv1.NamespaceService_ListNamespaces_FullMethodName, request)
		return reply.GetNamespaces(), reply.GetNextPageToken(), err
	})
}

// A DeleteOption says how a namespace is deleted.
type DeleteOption func(*memslotv1.DeleteNamespaceRequest)

// Force deletes a namespace that holds slots, with them.
func Force() DeleteOption {
	return func(r *memslotv1.DeleteNamespaceRequest) { r.Force = true }
}

// Delete removes a namespace (empty is the client's own), its settings and, with [Force], its slots; those below it stay. It returns
// how many slots were forgotten.
//
// Its errors: [ErrNamespaceNotFound], [ErrNamespaceNotEmpty], [ErrErasePending], [ErrOutcomeUnknown].
func (n Namespaces) Delete(ctx context.Context, path string, options ...DeleteOption) (forgotten int64, err error) {
	request := &memslotv1.DeleteNamespaceRequest{Namespace: firstOf(path, n.client.namespace), RequestId: requestID(ctx)}
	for _, option := range options {
		option(request)
	}
	return mutate(ctx, n.client, memslotv1.NamespaceService_DeleteNamespace_FullMethodName, request.RequestId, request,
		(*memslotv1.DeleteNamespaceResponse).GetForgotten)
}
