package memslot

import (
	"context"
	"sync/atomic"

	"google.golang.org/grpc/stats"
)

// sentMarker notes for each call whether any attempt at it went out on a connection: what never did cannot have happened.
type sentMarker struct{}

func withSent(ctx context.Context) (context.Context, *atomic.Bool) {
	sent := new(atomic.Bool)
	return context.WithValue(ctx, sentKey, sent), sent
}

func (sentMarker) HandleRPC(ctx context.Context, event stats.RPCStats) {
	if _, ok := event.(*stats.OutHeader); !ok {
		return
	}
	if sent, ok := ctx.Value(sentKey).(*atomic.Bool); ok {
		sent.Store(true)
	}
}

func (sentMarker) TagRPC(ctx context.Context, _ *stats.RPCTagInfo) context.Context   { return ctx }
func (sentMarker) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context { return ctx }
func (sentMarker) HandleConn(context.Context, stats.ConnStats)                       {}
