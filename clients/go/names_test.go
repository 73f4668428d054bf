package memslot_test

import (
	"slices"
	"strings"
	"testing"

	memslot "github.com/memslot/memslot/clients/go"
)

// Any strings become a path, and a path gives them back.
func TestNamespaces(t *testing.T) {
	for path, parts := range map[string][]string{
		"acme":                         {"acme"},
		"acme/a@b.com":                 {"acme", "a@b.com"},
		"acme/a%2Fb%25":                {"acme", "a/b%"},
		"%2E/%2E%2E/...":               {".", "..", "..."},
		"%20x%20/a b":                  {" x ", "a b"},
		"%C2%A0x":                      {"\u00a0x"},
		"a%0Ab/%7F":                    {"a\nb", "\x7f"},
		"%E2%80%AEx/%E2%81%A6y":        {"\u202ex", "\u2066y"},
		"%E2%80%A8":                    {"\u2028"},
		"Łódź/🏙":                       {"Łódź", "🏙"},
		"e%CC%81t%C3%A9":               {"e\u0301té"}, // not in NFC: every character beyond ASCII
		"a/b/c/d/e/f/g/h":              {"a", "b", "c", "d", "e", "f", "g", "h"},
		strings.Repeat("x", 128):       {strings.Repeat("x", 128)},
		"%E2%80%8Ex/user:1?q=2#y&z+~_": {"%E2%80%8Ex", "user:1?q=2#y&z+~_"},
	} {
		if strings.HasPrefix(path, "%E2%80%8E") {
			path = strings.Replace(path, "%", "%25", 3)
		}
		joined, err := memslot.JoinNamespace(parts...)
		must(t, err)
		equal(t, joined, path)
		if got := memslot.SplitNamespace(path); !slices.Equal(got, parts) {
			t.Errorf("%s gives back %q, not %q", path, got, parts)
		}
	}
}

// What can be no path is an error that says which part.
func TestNamespacesThatCannotBe(t *testing.T) {
	for told, parts := range map[string][]string{
		"1 to 8 parts, not 0":     {},
		"1 to 8 parts, not 9":     {"a", "b", "c", "d", "e", "f", "g", "h", "i"},
		"part 1":                  {"a", ""},
		"takes 129 bytes":         {strings.Repeat("x", 129)},
		"takes 132 bytes":         {strings.Repeat("/", 44)},
		"not UTF-8 at byte 1":     {"x\xff"},
		"part 2 of the namespace": {"a", "b", "\xed\xa0\x80"},
	} {
		_, err := memslot.JoinNamespace(parts...)
		if err == nil || !strings.Contains(err.Error(), told) {
			t.Errorf("%q: got %v, want %s", parts, err, told)
		}
	}
}

// In a path that was written by hand, what is no escape stands for itself.
func TestSplittingByHand(t *testing.T) {
	got := memslot.SplitNamespace("100%/50%zz/%ff/%c3%a9")
	if want := []string{"100%", "50%zz", "%ff", "é"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Whatever is joined is split again, and the sidecar takes it.
func FuzzJoinNamespace(f *testing.F) {
	for _, part := range []string{"a", "%2F", ".", " ", "é", "e\u0301", "\u202e", "a/b", "%", "%ff"} {
		f.Add(part, "x")
	}
	f.Fuzz(func(t *testing.T, first, second string) {
		path, err := memslot.JoinNamespace(first, second)
		if err != nil {
			return
		}
		if got := memslot.SplitNamespace(path); !slices.Equal(got, []string{first, second}) {
			t.Errorf("%q and %q come back as %q", first, second, got)
		}
		memory := connected(t)
		if _, err := memory.Namespace(path).Write(ctx, "x", 1); err != nil {
			t.Errorf("%q is refused: %v", path, err)
		}
	})
}
