// Package where makes the conditions of lookups, searches and forgettings:
//
//	where.All(where.TagsAny("draft", "todo"), where.Above("step", 3), where.Not(where.TaskType("chat")))
//
// Every backend evaluates them alike. They are the contract's own messages; one that cannot work (an empty list, a depth above
// 16) is refused by the sidecar with INVALID_FILTER.
package where

import (
	"time"

	memslotv1 "github.com/memslot/memslot/clients/go/memslot/v1"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// A Filter is a condition on slots.
type Filter = memslotv1.Filter

// All demands that every one of 1 to 64 conditions holds.
func All(filters ...*Filter) *Filter {
	return &Filter{Node: &memslotv1.Filter_AllOf{AllOf: &memslotv1.FilterList{Filters: filters}}}
}

// Any demands that at least one of 1 to 64 conditions holds.
func Any(filters ...*Filter) *Filter {
	return &Filter{Node: &memslotv1.Filter_AnyOf{AnyOf: &memslotv1.FilterList{Filters: filters}}}
}

// Not demands that none of 1 to 64 conditions holds.
func Not(filters ...*Filter) *Filter {
	return &Filter{Node: &memslotv1.Filter_NoneOf{NoneOf: &memslotv1.FilterList{Filters: filters}}}
}

// NamePrefix demands that the name starts so. `%`, `_` and `*` are ordinary characters.
func NamePrefix(prefix string) *Filter {
	return &Filter{Node: &memslotv1.Filter_NamePrefix{NamePrefix: prefix}}
}

// TaskType demands that the task type is one of these; the empty string stands for "none was set".
func TaskType(types ...string) *Filter {
	return &Filter{Node: &memslotv1.Filter_TaskTypeIn{TaskTypeIn: set(types)}}
}

// TagsAny demands at least one of these tags.
func TagsAny(tags ...string) *Filter {
	return &Filter{Node: &memslotv1.Filter_TagsAny{TagsAny: set(tags)}}
}

// TagsAll demands all of these tags.
func TagsAll(tags ...string) *Filter {
	return &Filter{Node: &memslotv1.Filter_TagsAll{TagsAll: set(tags)}}
}

// TagsNone demands none of these tags.
func TagsNone(tags ...string) *Filter {
	return &Filter{Node: &memslotv1.Filter_TagsNone{TagsNone: set(tags)}}
}

// Origin demands that the body comes from one of these; ORIGIN_UNSPECIFIED matches slots whose origin was not said.
func Origin(origins ...memslotv1.Origin) *Filter {
	return &Filter{Node: &memslotv1.Filter_OriginIn{OriginIn: &memslotv1.OriginSet{Values: origins}}}
}

// Created demands that the slot was created in the span; a zero time leaves that end open.
func Created(from, until time.Time) *Filter {
	return &Filter{Node: &memslotv1.Filter_Created{Created: span(from, until)}}
}

// Updated demands that the slot last changed in the span; a zero time leaves that end open.
func Updated(from, until time.Time) *Filter {
	return &Filter{Node: &memslotv1.Filter_Updated{Updated: span(from, until)}}
}

// Accessed demands that the slot was last read in the span; a zero time leaves that end open. One that was never read does not
// match.
func Accessed(from, until time.Time) *Filter {
	return &Filter{Node: &memslotv1.Filter_Accessed{Accessed: span(from, until)}}
}

// Expires demands that the slot expires in the span; a zero time leaves that end open. One that never expires does not match.
func Expires(from, until time.Time) *Filter {
	return &Filter{Node: &memslotv1.Filter_Expires{Expires: span(from, until)}}
}

// ImportanceBetween demands an importance from low to high, both included.
func ImportanceBetween(low, high float64) *Filter {
	return &Filter{Node: &memslotv1.Filter_Importance{Importance: &memslotv1.DoubleRange{Min: &low, Max: &high}}}
}

// BodyBytesBetween demands a body of low to high bytes, both included.
func BodyBytesBetween(low, high int64) *Filter {
	return &Filter{Node: &memslotv1.Filter_BodyBytes{BodyBytes: &memslotv1.Int64Range{Min: &low, Max: &high}}}
}

func set(values []string) *memslotv1.StringSet { return &memslotv1.StringSet{Values: values} }

func span(from, until time.Time) *memslotv1.TimeRange {
	message := &memslotv1.TimeRange{}
	if !from.IsZero() {
		message.From = timestamppb.New(from)
	}
	if !until.IsZero() {
		message.Until = timestamppb.New(until)
	}
	return message
}
