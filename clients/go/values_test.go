package memslot_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"strings"
	"testing"
	"time"

	memslot "github.com/memslot/memslot/clients/go"
	"github.com/memslot/memslot/clients/go/where"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

type plan struct {
	Name string `json:"name"`
	Step int    `json:"step"`
}

// A value is stored under the content type that follows from it, byte for byte as other clients do.
func TestValuesAndTheirTypes(t *testing.T) {
	memory := connected(t)
	huge, _ := new(big.Int).SetString(strings.Repeat("9", 40), 10)
	for _, one := range []struct {
		value      any
		kind, body string
	}{
		{"text <&> é", memslot.TypeText, "text <&> é"},
		{"", memslot.TypeText, ""},
		{[]byte{0, 255}, memslot.TypeBinary, "\x00\xff"},
		{nil, memslot.TypeJSON, "null"},
		{true, memslot.TypeJSON, "true"},
		{int64(math.MaxInt64), memslot.TypeJSON, "9223372036854775807"},
		{huge, memslot.TypeJSON, strings.Repeat("9", 40)},
		{1.5, memslot.TypeJSON, "1.5"},
		{[]string{"<", "é"}, memslot.TypeJSON, `["<","é"]`},
		{map[string]any{"a": nil}, memslot.TypeJSON, `{"a":null}`},
		{plan{"x", 2}, memslot.TypeJSON, `{"name":"x","step":2}`},
		{json.RawMessage(`{ "kept" : 1.0 }`), memslot.TypeJSON, `{ "kept" : 1.0 }`},
	} {
		_, err := memory.Write(ctx, "value", one.value)
		must(t, err)
		slot, err := memory.Read(ctx, "value")
		must(t, err)
		equal(t, slot.ContentType, one.kind)
		equal(t, string(slot.Bytes()), one.body)
	}
}

// A content type that is said is kept, also over appending.
func TestContentTypeThatIsSaid(t *testing.T) {
	memory := connected(t)
	_, err := memory.Write(ctx, "page", "# Title\n", memslot.ContentType("text/markdown"))
	must(t, err)
	_, err = memory.Append(ctx, "page", "more")
	must(t, err)
	slot, err := memory.Read(ctx, "page")
	must(t, err)
	equal(t, slot.ContentType, "text/markdown")
	equal(t, string(slot.Bytes()), "# Title\nmore")
}

// What has no form in a body is refused before anything is sent, in words that do not repeat it.
func TestValuesThatCannotBeStored(t *testing.T) {
	memory := connected(t)
	circle := map[string]any{"secret-value": nil}
	circle["secret-value"] = circle
	for told, value := range map[string]any{
		"no NaN and no infinity":     math.NaN(),
		"not UTF-8 at byte 12":       "secret-value\xff",
		"no form for a chan int":     map[string]any{"secret-value": make(chan int)},
		"json.RawMessage is no JSON": json.RawMessage("secret-value"),
		"a MarshalJSON in it failed": stubborn("secret-value"),
		"contains itself":            circle,
	} {
		_, err := memory.Write(ctx, "value", value)
		if err == nil || !strings.Contains(err.Error(), told) || strings.Contains(err.Error(), "secret-value") {
			t.Errorf("got %v, want %s", err, told)
		}
	}
	if _, err := memory.Read(ctx, "value"); !errors.Is(err, memslot.ErrSlotNotFound) {
		t.Errorf("got %v", err)
	}
}

type stubborn string

func (s stubborn) MarshalJSON() ([]byte, error) { return nil, errors.New(string(s)) }

// A text that is no UTF-8, wherever it stands, is refused with its place, and nothing was sent.
func TestTextsThatAreNotUTF8(t *testing.T) {
	memory := connected(t)
	write := func(name string, options ...memslot.WriteOption) error {
		_, err := memory.Write(ctx, name, "x", options...)
		return err
	}
	_, searching := memory.Search(ctx, "x", memslot.Where(where.Any(where.TagsAny("a", "\xff"))))
	_, committing := memory.Commit(ctx, new(memslot.Batch).Write("a", 1).Forget("\xff"))
	for place, err := range map[string]error{
		"name":                            write("\xff"),
		"description":                     write("n", memslot.Description("\xff")),
		"tags[1]":                         write("n", memslot.Tags("a", "\xff")),
		`attributes["k"].string_value`:    write("n", memslot.Attributes(map[string]any{"k": "\xff"})),
		`attributes["\xff"]`:              write("n", memslot.Attributes(map[string]any{"\xff": 1})),
		"operations[1].forget.name":       committing,
		"filter.any_of.filters[0].tags_a": searching,
	} {
		if err == nil || !strings.Contains(err.Error(), place) || !strings.Contains(err.Error(), "not UTF-8") || errors.Is(err, memslot.ErrOutcomeUnknown) {
			t.Errorf("%s: got %v", place, err)
		}
	}
}

// A body is decoded by its content type, JSON with every digit.
func TestDecoding(t *testing.T) {
	memory := connected(t)
	_, err := memory.Write(ctx, "json", json.RawMessage(`{"name":"Ada","step":9007199254740993}`))
	must(t, err)
	slot, err := memory.Read(ctx, "json")
	must(t, err)
	value, err := slot.Value()
	must(t, err)
	equal(t, value.(map[string]any)["step"].(json.Number), "9007199254740993")
	decoded, err := memslot.ReadAs[plan](ctx, memory, "json")
	must(t, err)
	equal(t, decoded, plan{"Ada", 9007199254740993})

	_, err = memory.Write(ctx, "text", "plain")
	must(t, err)
	text, err := memslot.ReadAs[string](ctx, memory, "text")
	must(t, err)
	equal(t, text, "plain")
	octets, err := memslot.ReadAs[[]byte](ctx, memory, "text")
	must(t, err)
	equal(t, string(octets), "plain")
	anything, err := memslot.ReadAs[any](ctx, memory, "text")
	must(t, err)
	equal(t, anything, "plain")
}

// A body that does not fit its type is an error that tells the place and never what stands there.
func TestBodiesThatDoNotFit(t *testing.T) {
	memory := connected(t)
	write := func(value any) *memslot.Slot {
		_, err := memory.Write(ctx, "secret", value)
		must(t, err)
		slot, err := memory.Read(ctx, "secret")
		must(t, err)
		return slot
	}
	var into plan
	var small int8
	var moment time.Time
	for told, err := range map[string]error{
		`field "name"`:              write(json.RawMessage(`{"name":["secret-value"]}`)).Decode(&into),
		"a number for a int8":       write(json.RawMessage(`424242`)).Decode(&small),
		"does not fit a *time.Time": write(json.RawMessage(`"secret-value"`)).Decode(&moment),
		"holds text/plain":          write("secret-value").Decode(&into),
	} {
		if err == nil || !strings.Contains(err.Error(), told) {
			t.Errorf("got %v, want %s", err, told)
		} else if strings.Contains(everything(err), "secret-value") || strings.Contains(everything(err), "424242") {
			t.Errorf("an error repeats a body: %v", err)
		}
	}
}

// What is larger than a message is not sent, and the error says what to do.
func TestBodyAboveTheMessageLimit(t *testing.T) {
	_, err := connected(t).Write(ctx, "large", make([]byte, 5_000_000))
	equal(t, status.Code(err), codes.ResourceExhausted)
	if !strings.HasSuffix(err.Error(), "4194304): split it, a body has 3,900,000 bytes at most") {
		t.Error(err)
	}
}

// Attributes come back as they were said, integers as int64.
func TestAttributes(t *testing.T) {
	memory := connected(t)
	said := map[string]any{"text": "a", "count": int64(math.MaxInt64), "share": 0.5, "done": true}
	_, err := memory.Write(ctx, "slot", "x", memslot.Attributes(said))
	must(t, err)
	info, err := memory.Describe(ctx, "slot")
	must(t, err)
	if !reflect.DeepEqual(info.Attributes, said) {
		t.Errorf("got %v, want %v", info.Attributes, said)
	}
	type stage string
	_, err = memory.Write(ctx, "slot", "x", memslot.Attributes(map[string]any{
		"small": int8(-1), "unsigned": uint64(math.MaxInt64), "named": stage("draft"), "single": float32(0.5),
	}))
	must(t, err)
	info, err = memory.Describe(ctx, "slot")
	must(t, err)
	want := map[string]any{"small": int64(-1), "unsigned": int64(math.MaxInt64), "named": "draft", "single": 0.5}
	if !reflect.DeepEqual(info.Attributes, want) {
		t.Errorf("got %v, want %v", info.Attributes, want)
	}
	for _, odd := range []any{[]int{1}, nil, uint64(math.MaxInt64 + 1), json.Number("1"), &said} {
		_, err = memory.Write(ctx, "slot", "x", memslot.Attributes(map[string]any{"odd": odd}))
		if err == nil || !strings.Contains(err.Error(), fmt.Sprintf(`"odd" is of type %T`, odd)) {
			t.Errorf("got %v", err)
		}
	}
}
