package memslot_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	memslot "github.com/memslot/memslot/clients/go"
	memslotv1 "github.com/memslot/memslot/clients/go/memslot/v1"
)

// Settings are set by name, inherited again by name, and others stay.
func TestNamespaceSettings(t *testing.T) {
	memory := connected(t)
	namespaces := memory.Namespaces()
	_, err := namespaces.Get(ctx, "")
	refusal(t, err, memslot.ErrNamespaceNotFound)
	set, err := namespaces.Update(ctx, "", memslot.SlotLimit(5), memslot.DefaultTTL(time.Hour), memslot.MaxTTL(2*time.Hour),
		memslot.EvictLowestRank(true), memslot.EraseOnForget(true), memslot.RefreshOnRead(true), memslot.IndexBy(memslot.IndexHybrid),
		memslot.Embedder("none"), memslot.VectorIndex(memslotv1.VectorIndexKind_VECTOR_INDEX_KIND_EXACT),
		memslot.Summaries(memslotv1.SummaryMode_SUMMARY_MODE_EXTRACTIVE), memslot.SummariesAbove(100), memslot.SummariesBelowRank(0.5))
	must(t, err)
	equal(t, set.GetSettings().GetTtlMax().AsDuration(), 2*time.Hour)
	set, err = namespaces.Update(ctx, "", memslot.Inherit("slot_limit", "ttl_max"))
	must(t, err)
	equal(t, set.GetSettings().SlotLimit == nil && set.GetSettings().TtlMax == nil, true)
	equal(t, set.GetSettings().GetOverflow(), memslotv1.Overflow_OVERFLOW_EVICT_LOWEST_RANK)
	got, err := namespaces.Get(ctx, memory.NamespacePath())
	must(t, err)
	equal(t, got.GetSettings().GetTtlDefault().AsDuration(), time.Hour)
}

// Namespaces are listed with those below, and one that holds slots is deleted only by force.
func TestListAndDelete(t *testing.T) {
	memory := connected(t)
	for _, below := range []string{"/a", "/b", ""} {
		_, err := memory.Namespace(memory.NamespacePath()+below).Write(ctx, "x", 1)
		must(t, err)
	}
	listed, err := memslot.Collect(memory.Namespaces().List(ctx, memory.NamespacePath()))
	must(t, err)
	equal(t, len(listed), 3)
	_, err = memory.Namespaces().Delete(ctx, "")
	refusal(t, err, memslot.ErrNamespaceNotEmpty)
	forgotten, err := memory.Namespaces().Delete(ctx, "", memslot.Force())
	must(t, err)
	equal(t, forgotten, 1)
}

// The sidecar says what it is and what it stores, and gives a copy of it.
func TestServer(t *testing.T) {
	memory := connected(t)
	receipt, err := memory.Write(ctx, "x", secret)
	must(t, err)
	info, err := memory.ServerInfo(ctx)
	must(t, err)
	equal(t, info.GetMessageLimitBytes(), memslot.MessageLimit)
	stats, err := memory.Stats(ctx)
	must(t, err)
	equal(t, stats.GetSlots() > 0, true)
	var copied bytes.Buffer
	revision, err := memory.Backup(ctx, &copied)
	must(t, err)
	equal(t, revision >= receipt.Revision, true)
	equal(t, strings.HasPrefix(copied.String(), "SQLite format 3"), true)
}
