package memslot_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	memslot "github.com/memslot/memslot/clients/go"
	memslotv1 "github.com/memslot/memslot/clients/go/memslot/v1"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// isClosed tells whether an error says that the client is closed, and what to do.
func isClosed(t testing.TB, err error, told string) {
	t.Helper()
	var failed *memslot.Error
	if !errors.As(err, &failed) || !errors.Is(err, memslot.ErrClientClosed) {
		t.Fatalf("got %v", err)
	}
	equal(t, status.Code(err), codes.Canceled)
	equal(t, failed.FromServer(), false)
	if !strings.Contains(err.Error(), told) || !strings.Contains(err.Error(), "open a new one") {
		t.Errorf("got %v", err)
	}
}

// A closed client may be closed again, by any client of the connection; every call is refused, and nothing is sent.
func TestClose(t *testing.T) {
	memory := connected(t)
	_, err := memory.Write(ctx, "n", 1)
	must(t, err)
	must(t, memory.Close())
	must(t, memory.Namespace("other").Close())
	never, err := memslot.Connect("127.0.0.1:1")
	must(t, err)
	must(t, never.Close())
	for _, client := range []*memslot.Client{memory, memory.Namespace("other"), never} {
		for _, call := range []func() error{
			func() error { _, err := client.Write(ctx, "n", 2); return err },
			func() error { _, err := client.Read(ctx, "n"); return err },
			func() error { _, err := client.Namespaces().Get(ctx, ""); return err },
			func() error { _, err := client.BeginTask(ctx, "t"); return err },
			func() error { _, err := client.Backup(ctx, &strings.Builder{}); return err },
			func() error {
				_, err := memslotv1.NewSlotServiceClient(client).Read(ctx, &memslotv1.ReadRequest{Namespace: "n", Name: "n"})
				return err
			},
			func() error {
				for _, err := range client.Lookup(ctx, "") {
					return err
				}
				return nil
			},
		} {
			isClosed(t, call(), "is closed")
		}
	}
	value, err := memslot.ReadAs[int](ctx, connected(t), "n")
	must(t, err)
	equal(t, value, 1)
}

// Calls under way end when the client is closed: a read as closed, a write with an outcome that another client settles.
func TestCloseUnderWay(t *testing.T) {
	between, near := proxied(t, "tcp", "127.0.0.1:0", nil), connected(t)
	far := connectedTo(t, between.target(), memslot.WithTimeout(time.Minute))
	_, err := near.Write(ctx, "warm", "up")
	must(t, err)
	_, err = near.Forget(ctx, "log")
	must(t, err)
	_, err = far.Describe(ctx, "warm")
	must(t, err)
	before := reads(t, near)
	between.swallowing.Store(true)
	read, written := make(chan error, 1), make(chan error, 1)
	go func() { _, err := far.Read(ctx, "warm"); read <- err }()
	go func() { _, err := far.Append(ctx, "log", "one line"); written <- err }()
	until(t, func() bool {
		found, err := near.DescribeMany(ctx, []string{"log"})
		must(t, err)
		return len(found) == 1 && reads(t, near) > before
	})
	must(t, far.Close())
	isClosed(t, <-read, "while the call was under way")
	unknown := <-written
	var failed *memslot.Error
	if !errors.Is(unknown, memslot.ErrOutcomeUnknown) || !errors.As(unknown, &failed) {
		t.Fatalf("got %v", unknown)
	}
	_, err = memslot.Retry[*memslot.Receipt](ctx, unknown)
	isClosed(t, err, "is closed")
	receipt, err := near.Append(memslot.ContextWithRequestID(ctx, failed.RequestID()), "log", "one line")
	must(t, err)
	equal(t, receipt.Outcome, memslot.OutcomeCreated)
	text, err := memslot.ReadAs[string](ctx, near, "log")
	must(t, err)
	equal(t, text, "one line")
}

// Whoever waits for a sidecar that is not there is told when the client is closed: nothing was sent.
func TestCloseWhileWaiting(t *testing.T) {
	memory, err := memslot.Connect("127.0.0.1:1", memslot.WithWaitForReady(), memslot.WithTimeout(0))
	must(t, err)
	waiting := make(chan error, 2)
	go func() { _, err := memory.Read(context.Background(), "n"); waiting <- err }()
	go func() { _, err := memory.Write(context.Background(), "n", 1); waiting <- err }()
	must(t, memory.Close())
	isClosed(t, <-waiting, "is closed")
	isClosed(t, <-waiting, "is closed")
}

// reads counts the reads that the sidecar has answered.
func reads(t testing.TB, memory *memslot.Client) (count int64) {
	t.Helper()
	stats, err := memory.Stats(ctx)
	must(t, err)
	for _, counted := range stats.GetCalls() {
		if strings.HasSuffix(counted.GetMethod(), "/Read") {
			count += counted.GetCount()
		}
	}
	return count
}

// until waits for a condition.
func until(t testing.TB, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("waited in vain")
		}
	}
}
