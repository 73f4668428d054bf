package memslot

import (
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/anypb"
)

// An Error is what came of a call that failed. It never holds a body, however it is printed.
//
// errors.Is(err, memslot.ErrSlotNotFound) asks for a reason, status.Code(err) for the gRPC code; a call that the context ended
// is also [context.Canceled] or [context.DeadlineExceeded].
type Error struct {
	// Code is the gRPC code.
	Code codes.Code
	// Reason is in UPPER_SNAKE_CASE as in the contract; empty when gRPC itself failed.
	Reason Reason
	// Message is for a person, and names the remedy.
	Message string
	// Field is the request field to blame, or empty.
	Field string
	// Metadata holds the values that belong to the reason, such as `current_revision`.
	Metadata map[string]string
	// RetryAfter is the server's wish, if it had one.
	RetryAfter time.Duration

	details []*anypb.Any
	cause   error
	pending *pending
	unsent  bool
}

// Error returns the reason and the message.
func (e *Error) Error() string {
	label := string(e.Reason)
	if label == "" {
		label = codeName(e.Code)
	}
	if e.Message == "" {
		return "memslot: " + label
	}
	return "memslot: " + label + ": " + e.Message
}

// Is tells whether the error is of a reason.
func (e *Error) Is(target error) bool {
	reason, ok := target.(Reason)
	return ok && (reason == e.Reason || reason == ErrIndexUnavailable && e.Reason == ErrEmbedderUnavailable)
}

// Unwrap returns what ended the call, if the context did.
func (e *Error) Unwrap() error { return e.cause }

// GRPCStatus returns the status with its details, for status.Code and status.FromError.
func (e *Error) GRPCStatus() *status.Status {
	proto := status.New(e.Code, e.Message).Proto()
	proto.Details = e.details
	return status.FromProto(proto)
}

// RequestID is that of the mutation that failed; empty for other calls.
func (e *Error) RequestID() string {
	if e.pending == nil {
		return ""
	}
	return e.pending.requestID
}

// FromServer tells whether these are the sidecar's words, rather than gRPC's or the client's.
func (e *Error) FromServer() bool {
	switch e.Reason {
	case "", ErrOutcomeUnknown, ErrUnreachable, ErrClientClosed:
		return false
	default:
		return true
	}
}

// Int64 returns a number of the metadata, such as `limit`; 0 when there is none.
func (e *Error) Int64(key string) int64 {
	number, err := strconv.ParseInt(e.Metadata[key], 10, 64)
	if err != nil {
		return 0
	}
	return number
}

// CurrentRevision is the revision that the slot is at, with [ErrRevisionMismatch] and [ErrSlotExists]; 0 when there is no slot.
func (e *Error) CurrentRevision() int64 { return e.Int64("current_revision") }

// Format writes the error; with %+v also its field, its metadata and its request id.
func (e *Error) Format(state fmt.State, verb rune) {
	switch {
	case verb == 'q':
		_, _ = io.WriteString(state, strconv.Quote(e.Error()))
	case verb == 'v' && (state.Flag('+') || state.Flag('#')):
		_, _ = io.WriteString(state, e.Error()+e.whole())
	default:
		_, _ = io.WriteString(state, e.Error())
	}
}

// LogValue tells the error in parts.
func (e *Error) LogValue() slog.Value {
	parts := []slog.Attr{slog.String("code", codeName(e.Code)), slog.String("message", e.Message)}
	for _, part := range e.parts() {
		parts = append(parts, slog.String(part[0], part[1]))
	}
	return slog.GroupValue(parts...)
}

func (e *Error) whole() string {
	var told strings.Builder
	for _, part := range e.parts() {
		fmt.Fprintf(&told, " %s=%q", part[0], part[1])
	}
	return told.String()
}

func (e *Error) parts() [][2]string {
	parts := [][2]string{{"reason", string(e.Reason)}, {"field", e.Field}, {"request_id", e.RequestID()}}
	for _, key := range slices.Sorted(maps.Keys(e.Metadata)) {
		parts = append(parts, [2]string{key, e.Metadata[key]})
	}
	return slices.DeleteFunc(parts, func(part [2]string) bool { return part[1] == "" })
}
