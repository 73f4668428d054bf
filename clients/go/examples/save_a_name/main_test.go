package main

import (
	"context"
	"strings"
	"testing"

	memslot "github.com/memslot/memslot/clients/go"
	"github.com/memslot/memslot/clients/go/internal/sidecar"
)

// A name that was saved is read again after the subject changed.
func TestSaveAName(t *testing.T) {
	running, err := sidecar.Start()
	if err != nil {
		t.Fatal(err)
	}
	defer running.Stop()
	memory, err := memslot.Connect(running.Socket, memslot.WithNamespace("examples"), memslot.WithConversation("example"))
	if err != nil {
		t.Fatal(err)
	}
	defer memory.Close()
	var said strings.Builder
	if err := talk(context.Background(), memory, &said); err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + said.String())
	if lines := strings.Split(strings.TrimSpace(said.String()), "\n"); lines[len(lines)-1] != "agent:  Of course: you are Ada." {
		t.Errorf("the name was forgotten: %s", lines[len(lines)-1])
	}
}
