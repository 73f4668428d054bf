package memslot_test

import (
	"errors"
	"testing"

	memslot "github.com/memslot/memslot/clients/go"
)

// What was written is read, by socket and by TCP alike.
func TestWriteAndRead(t *testing.T) {
	for _, target := range []string{running.Socket, running.Target} {
		memory := connectedTo(t, target)
		_, err := memory.Write(ctx, "city", "Łódź 🏙")
		must(t, err)
		slot, err := memory.Read(ctx, "city")
		must(t, err)
		text, err := slot.Text()
		must(t, err)
		equal(t, text, "Łódź 🏙")
		equal(t, slot.ContentType, memslot.TypeText)
	}
}

// A slot that is not there is ErrSlotNotFound, with its name in the metadata.
func TestReadOfNothing(t *testing.T) {
	_, err := connected(t).Read(ctx, "nothing")
	if !errors.Is(err, memslot.ErrSlotNotFound) || errors.Is(err, memslot.ErrSlotExists) {
		t.Fatalf("got %v", err)
	}
	var failed *memslot.Error
	if !errors.As(err, &failed) {
		t.Fatalf("got %T", err)
	}
	equal(t, failed.Metadata["name"], "nothing")
}
