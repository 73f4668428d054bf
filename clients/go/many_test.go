package memslot_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	memslot "github.com/memslot/memslot/clients/go"
	"github.com/memslot/memslot/clients/go/where"
)

// filled returns a client of a namespace with so many slots, s00 and on, of which every third has the tag.
func filled(t testing.TB, count int) *memslot.Client {
	memory := connected(t)
	_, err := memory.Namespaces().Update(ctx, "", memslot.SlotLimit(5000), memslot.BodyLimit(3_900_000), memslot.IndexBy(memslot.IndexFulltext))
	must(t, err)
	for start := 0; start < count; start += 100 {
		batch := new(memslot.Batch)
		for n := start; n < min(count, start+100); n++ {
			options := []memslot.WriteOption{memslot.Attributes(map[string]any{"n": n})}
			if n%3 == 0 {
				options = append(options, memslot.Tags("third"))
			}
			batch.Write(fmt.Sprintf("s%02d", n), fmt.Sprintf("number %d", n), options...)
		}
		_, err := memory.Commit(ctx, batch)
		must(t, err)
	}
	return memory
}

func namesOf(t testing.TB, entries []memslot.Entry, err error) []string {
	t.Helper()
	must(t, err)
	names := []string{}
	for _, entry := range entries {
		names = append(names, entry.Name)
	}
	return names
}

// Pages of any size come together as one sequence, each slot once and in order; whoever stops early asks for no more.
func TestLookup(t *testing.T) {
	memory := filled(t, 12)
	entries, err := memslot.Collect(memory.Lookup(ctx, "s", memslot.OrderBy(memslot.OrderName), memslot.PageSize(5)))
	all := namesOf(t, entries, err)
	equal(t, strings.Join(all, " "), "s00 s01 s02 s03 s04 s05 s06 s07 s08 s09 s10 s11")
	seen := 0
	for entry, err := range memory.Lookup(ctx, "", memslot.OrderBy(memslot.OrderName), memslot.Reverse(), memslot.PageSize(2), memslot.WithInfo()) {
		must(t, err)
		equal(t, entry.Name, all[len(all)-1-seen])
		equal(t, entry.Info.Name, entry.Name)
		if seen++; seen == 3 {
			break
		}
	}
	entries, err = memslot.Collect(memory.Lookup(ctx, "", memslot.OrderBy(memslot.OrderName), memslot.Limit(5), memslot.PageSize(2)))
	if got := namesOf(t, entries, err); !slices.Equal(got, all[:5]) {
		t.Errorf("got %v", got)
	}
	_, err = memslot.Collect(memory.Lookup(ctx, "", memslot.Where(where.All())))
	refusal(t, err, memslot.ErrInvalidFilter)
}

// An iterator may be gone through twice, from its begin each time.
func TestLookupTwice(t *testing.T) {
	lookup := filled(t, 4).Lookup(ctx, "", memslot.PageSize(3), memslot.Limit(4))
	for range 2 {
		found, err := memslot.Collect(lookup)
		must(t, err)
		equal(t, len(found), 4)
	}
}

// A page tells its total and leads to the next one.
func TestLookupPage(t *testing.T) {
	memory := filled(t, 7)
	page, err := memory.LookupPage(ctx, "", memslot.OrderBy(memslot.OrderName), memslot.PageSize(5), memslot.CountTotal())
	must(t, err)
	equal(t, page.Total, 7)
	page, err = memory.LookupPage(ctx, "", memslot.OrderBy(memslot.OrderName), memslot.PageToken(page.NextToken))
	equal(t, strings.Join(namesOf(t, page.Entries, err), " "), "s05 s06")
	equal(t, page.NextToken, "")
	page, err = memory.LookupPage(ctx, "", memslot.OrderBy(memslot.OrderName), memslot.PageSize(5), memslot.Limit(2))
	equal(t, strings.Join(namesOf(t, page.Entries, err), " "), "s00 s01")
	_, err = memory.LookupPage(ctx, "", memslot.Limit(-1))
	equal(t, err != nil && strings.Contains(err.Error(), "at least 0"), true)
	_, err = memslot.Collect(memory.Lookup(ctx, "", memslot.Limit(-1)))
	equal(t, err != nil && strings.Contains(err.Error(), "at least 0"), true)
	page, err = memory.LookupPage(ctx, "", memslot.Limit(0))
	equal(t, len(namesOf(t, page.Entries, err)), 0)
}

// Conditions select as they say.
func TestWhere(t *testing.T) {
	memory := filled(t, 12)
	for want, filter := range map[string]*where.Filter{
		"s00 s03 s06 s09": where.TagsAny("third", "other"),
		"s06 s09":         where.All(where.TagsAll("third"), where.AtLeast("n", 4)),
		"s00 s11":         where.Any(where.NamePrefix("s00"), where.Above("n", 10.5)),
		"s10 s11":         where.Not(where.Below("n", 10)),
		"s01 s02":         where.OneOf("n", 1, 2),
		"s05":             where.Equal("n", int8(5)),
		"s00":             where.All(where.AtMost("n", uint8(0)), where.Exists("n"), where.TaskType("")),
		"":                where.Missing("n"),
		"s11":             where.All(where.NotEqual("n", "11"), where.BodyBytesBetween(9, 9), where.TagsNone("third"), where.Above("n", 10)),
	} {
		entries, err := memslot.Collect(memory.Lookup(ctx, "", memslot.Where(filter), memslot.OrderBy(memslot.OrderName)))
		equal(t, strings.Join(namesOf(t, entries, err), " "), want)
	}
}

// Search finds words, best first, and the limit is filled over several pages.
func TestSearch(t *testing.T) {
	memory := filled(t, 150)
	found, err := memory.Search(ctx, "number", memslot.Limit(120), memslot.WithInfo())
	must(t, err)
	equal(t, len(found.Hits), 120)
	equal(t, found.Mode, memslot.SearchFulltext)
	found, err = memory.Search(ctx, `"number 7"`, memslot.Where(where.AtMost("n", 9)), memslot.MinRevision(found.Revision))
	must(t, err)
	equal(t, len(found.Hits), 1)
	equal(t, found.Hits[0].Name, "s07")
	if _, err := memory.Search(ctx, ""); err == nil {
		t.Error("a search for nothing is no error")
	}
	_, err = memory.Search(ctx, "x", memslot.ByVector([]float32{1}), memslot.InMode(memslot.SearchVector))
	refusal(t, err, memslot.ErrIndexNotEnabled)
}

// Bodies that do not fit into one reply come by several; names of nothing are left out.
func TestReadMany(t *testing.T) {
	memory := filled(t, 0)
	large := strings.Repeat("x", 3_800_000)
	names := []string{"nothing"}
	for n := range 3 {
		names = append(names, fmt.Sprint(n))
		_, err := memory.Write(ctx, fmt.Sprint(n), large)
		must(t, err)
	}
	slots, err := memory.ReadMany(ctx, append(names, "0")...)
	must(t, err)
	equal(t, len(slots), 3)
	equal(t, len(slots["2"].Bytes()), len(large))
	infos, err := memory.DescribeMany(ctx, names, memslot.WithSummaries())
	must(t, err)
	equal(t, len(infos), 3)
	_, err = memory.ReadMany(ctx, "ok", "\n")
	refusal(t, err, memslot.ErrInvalidName)
}

// The largest allowed body goes through, both ways.
func TestLargestBody(t *testing.T) {
	memory := filled(t, 0)
	_, err := memory.Write(ctx, "large", strings.Repeat("é", 1_950_000))
	must(t, err)
	text, err := memslot.ReadAs[string](ctx, memory, "large")
	must(t, err)
	equal(t, len(text), 3_900_000)
}

// What matches is forgotten, but not when it is more than was said.
func TestForgetMatching(t *testing.T) {
	memory := filled(t, 10)
	_, err := memory.ForgetMatching(ctx, where.TagsAny("third"), memslot.AtMost(2))
	equal(t, refusal(t, err, memslot.ErrTooManyMatches).Int64("matches"), 4)
	forgotten, err := memory.ForgetMatching(ctx, where.TagsAny("third"), memslot.LowestRanked(3))
	must(t, err)
	equal(t, forgotten.Count, 3)
	equal(t, forgotten.MoreRemain, true)
	_, err = memory.ForgetMatching(ctx, nil)
	refusal(t, err, memslot.ErrInvalidFilter)
	forgotten, err = memory.ForgetAll(ctx, memslot.Recursive(), memslot.Erase())
	must(t, err)
	equal(t, forgotten.Count, 7)
}

// A batch happens whole or not at all, as it was when it was made, and a failure names its operation.
func TestCommit(t *testing.T) {
	memory := connected(t)
	committed, err := memory.Commit(ctx, new(memslot.Batch).Write("a", 1, memslot.IfAbsent()).Append("b", "x").Patch("c", map[string]int{"n": 1}))
	must(t, err)
	equal(t, len(committed.Receipts), 3)
	equal(t, committed.Receipts[2].Revision, committed.Revision)
	_, err = memory.Commit(ctx, new(memslot.Batch).Forget("b").Check("a", memslot.IfRevision(committed.Revision+1)))
	equal(t, refusal(t, err, memslot.ErrRevisionMismatch).Metadata["op_index"], "1")
	_, err = memory.Read(ctx, "b")
	must(t, err)
	body := []byte("first")
	batch := new(memslot.Batch).Write("kept", body)
	copy(body, "other")
	_, err = memory.Commit(ctx, batch)
	must(t, err)
	kept, err := memslot.ReadAs[[]byte](ctx, memory, "kept")
	must(t, err)
	equal(t, string(kept), "first")
	_, err = memory.Commit(ctx, new(memslot.Batch).Forget("b").Write("d", func() {}))
	if err == nil || !strings.Contains(err.Error(), "operation 1") {
		t.Errorf("got %v", err)
	}
}
