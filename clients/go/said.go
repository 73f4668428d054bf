package memslot

import (
	"context"
	"fmt"
	"strings"

	"google.golang.org/grpc/metadata"
)

// Servers may take no notice of more.
const saidLimit = 4096

// said is on whose behalf a client asks, as the audit shall tell it.
type said struct{ agent, conversation string }

type contextKey int

const (
	turnKey contextKey = iota
	traceKey
	requestIDKey
)

// ContextWithTurn says that calls made with the context belong to a turn of the conversation; recorded in the audit as said.
func ContextWithTurn(ctx context.Context, turn string) context.Context {
	return context.WithValue(ctx, turnKey, turn)
}

// ContextWithTraceparent says which W3C trace calls made with the context belong to.
func ContextWithTraceparent(ctx context.Context, traceparent string) context.Context {
	return context.WithValue(ctx, traceKey, traceparent)
}

// ContextWithRequestID gives the mutation that is made with the context a request id (a UUID) of the caller's own, so that it
// can be repeated for ten minutes, also by another process: a repeat returns the first answer and changes nothing.
func ContextWithRequestID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, requestIDKey, id)
}

func textOf(ctx context.Context, key contextKey) string {
	text, _ := ctx.Value(key).(string)
	return text
}

// attach puts beside a call what is said about it.
func (s said) attach(ctx context.Context) (context.Context, error) {
	var pairs []string
	size := 0
	for _, pair := range [...][2]string{
		{"memslot-agent", s.agent},
		{"memslot-conversation", s.conversation},
		{"memslot-turn", textOf(ctx, turnKey)},
		{"traceparent", textOf(ctx, traceKey)},
	} {
		key, value := pair[0], pair[1]
		if value == "" {
			continue
		}
		if !plain(value) {
			key += "-bin" // gRPC carries only printable ASCII as text
		}
		size += len(key) + len(value)
		pairs = append(pairs, key, value)
	}
	if size > saidLimit {
		return nil, fmt.Errorf("memslot: agent, conversation, turn and traceparent take %d bytes, at most %d are sent", size, saidLimit)
	}
	if len(pairs) == 0 {
		return ctx, nil
	}
	return metadata.AppendToOutgoingContext(ctx, pairs...), nil
}

func (s said) check() error {
	_, err := s.attach(context.Background())
	return err
}

func plain(value string) bool {
	for i := range len(value) {
		if value[i] < ' ' || value[i] > '~' {
			return false
		}
	}
	return value == strings.TrimSpace(value)
}
