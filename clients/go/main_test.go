package memslot_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	memslot "github.com/memslot/memslot/clients/go"
	"github.com/memslot/memslot/clients/go/internal/sidecar"
)

var running *sidecar.Sidecar

// TestMain lets all tests share one sidecar; each has a namespace of its own.
func TestMain(m *testing.M) {
	started, err := sidecar.Start()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	running = started
	_ = os.Setenv("MEMSLOT_TARGET", started.Target) // for the examples
	code := m.Run()
	started.Stop()
	os.Exit(code)
}

// connected returns a client of the shared sidecar, in the test's own namespace.
func connected(t testing.TB, options ...memslot.Option) *memslot.Client {
	t.Helper()
	return connectedTo(t, running.Socket, options...)
}

func connectedTo(t testing.TB, target string, options ...memslot.Option) *memslot.Client {
	t.Helper()
	path, err := memslot.JoinNamespace("go", t.Name())
	must(t, err)
	memory, err := memslot.Connect(target, append([]memslot.Option{memslot.WithNamespace(path)}, options...)...)
	must(t, err)
	t.Cleanup(func() { must(t, memory.Close()) })
	return memory
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%+v", err)
	}
}

func equal[T comparable](t testing.TB, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

var ctx = context.Background()
