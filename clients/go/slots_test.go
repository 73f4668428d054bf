package memslot_test

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"time"

	memslot "github.com/memslot/memslot/clients/go"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// refusal checks the reason of an error and returns it.
func refusal(t testing.TB, err error, reason memslot.Reason) *memslot.Error {
	t.Helper()
	var failed *memslot.Error
	if !errors.Is(err, reason) || !errors.As(err, &failed) {
		t.Fatalf("got %v, want %v", err, reason)
	}
	return failed
}

// What was written is read, by socket and by TCP alike.
func TestWriteAndRead(t *testing.T) {
	for _, target := range []string{running.Socket, running.Target} {
		memory := connectedTo(t, target)
		receipt, err := memory.Write(ctx, "city", "Łódź 🏙", memslot.TTL(time.Hour), memslot.Description("a city"),
			memslot.Tags("b", "a"), memslot.TaskType("trip"), memslot.Importance(0.5), memslot.Pinned(true), memslot.From(memslot.OriginUser))
		must(t, err)
		slot, err := memory.Read(ctx, "city")
		must(t, err)
		equal(t, string(slot.Bytes()), "Łódź 🏙")
		equal(t, slot.Revision, receipt.Revision)
		equal(t, slot.Description+slot.TaskType, "a citytrip")
		equal(t, slices.Equal(slot.Tags, []string{"a", "b"}), true)
		equal(t, slot.Pinned, true)
		equal(t, slot.Origin, memslot.OriginUser)
		equal(t, slot.ExpireTime.Equal(receipt.ExpireTime), true)
		equal(t, slot.AccessTime.IsZero(), true)
	}
}

// A slot that is not there is ErrSlotNotFound, with its name in the metadata and NOT_FOUND as its code.
func TestReadOfNothing(t *testing.T) {
	_, err := connected(t).Read(ctx, "nothing")
	failed := refusal(t, err, memslot.ErrSlotNotFound)
	equal(t, failed.Metadata["name"], "nothing")
	equal(t, failed.FromServer(), true)
	equal(t, status.Code(err), codes.NotFound)
	equal(t, len(status.Convert(err).Details()), 2)
	if errors.Is(err, memslot.ErrVersionNotFound) {
		t.Error("it is of another reason too")
	}
}

// A poll brings a slot only when it changed.
func TestReadIfChanged(t *testing.T) {
	memory := connected(t)
	receipt, err := memory.Write(ctx, "n", 1)
	must(t, err)
	_, changed, err := memory.ReadIfChanged(ctx, "n", receipt.Revision)
	must(t, err)
	equal(t, changed, false)
	slot, changed, err := memory.ReadIfChanged(ctx, "n", receipt.Revision-1)
	must(t, err)
	equal(t, changed, true)
	equal(t, string(slot.Bytes()), "1")
}

// Preconditions hold, and an error says where the slot is.
func TestPreconditions(t *testing.T) {
	memory := connected(t)
	receipt, err := memory.Write(ctx, "n", 1, memslot.IfAbsent())
	must(t, err)
	_, err = memory.Write(ctx, "n", 2, memslot.IfAbsent())
	equal(t, refusal(t, err, memslot.ErrSlotExists).CurrentRevision(), receipt.Revision)
	_, err = memory.Write(ctx, "n", 2, memslot.IfRevision(receipt.Revision+1))
	equal(t, refusal(t, err, memslot.ErrRevisionMismatch).CurrentRevision(), receipt.Revision)
	_, err = memory.Forget(ctx, "n", memslot.IfRevision(receipt.Revision+1))
	refusal(t, err, memslot.ErrRevisionMismatch)
	_, err = memory.UpdateInfo(ctx, "n", memslot.Description("x"), memslot.IfRevision(receipt.Revision+1))
	refusal(t, err, memslot.ErrRevisionMismatch)
	_, err = memory.Write(ctx, "n", 2, memslot.IfAbsent(), memslot.IfRevision(1))
	if err == nil || errors.As(err, new(*memslot.Error)) {
		t.Errorf("two conditions: got %v", err)
	}
}

// Appending and patching change a body in place; what does not fit is refused.
func TestAppendAndPatch(t *testing.T) {
	memory := connected(t)
	for _, line := range []string{"one\n", "two\n"} {
		_, err := memory.Append(ctx, "log", line)
		must(t, err)
	}
	text, err := memslot.ReadAs[string](ctx, memory, "log")
	must(t, err)
	equal(t, text, "one\ntwo\n")
	_, err = memory.Write(ctx, "user", plan{"Ada", 1})
	must(t, err)
	receipt, err := memory.Patch(ctx, "user", map[string]any{"step": 2, "name": nil})
	must(t, err)
	equal(t, receipt.Outcome, memslot.OutcomePatched)
	slot, err := memory.Read(ctx, "user")
	must(t, err)
	equal(t, string(slot.Bytes()), `{"step":2}`)
	_, err = memory.Patch(ctx, "log", json.RawMessage(`{}`))
	refusal(t, err, memslot.ErrContentTypeMismatch)
}

// What is known of a slot changes without its body; an empty value clears.
func TestUpdateInfo(t *testing.T) {
	memory := connected(t)
	_, err := memory.Write(ctx, "n", "x", memslot.Description("old"), memslot.Tags("a"), memslot.TaskType("kept"))
	must(t, err)
	at := time.Now().Add(2 * time.Hour).Truncate(time.Millisecond)
	_, err = memory.UpdateInfo(ctx, "n", memslot.Description("new"), memslot.Tags(), memslot.ExpireAt(at),
		memslot.Attributes(map[string]any{"k": 1}))
	must(t, err)
	info, err := memory.Describe(ctx, "n")
	must(t, err)
	equal(t, info.Description+info.TaskType, "newkept")
	equal(t, len(info.Tags), 0)
	equal(t, info.Attributes["k"], any(int64(1)))
	equal(t, info.ExpireTime.Equal(at), true)
	_, err = memory.UpdateInfo(ctx, "n", memslot.NeverExpire())
	must(t, err)
	info, err = memory.Describe(ctx, "n")
	must(t, err)
	equal(t, info.ExpireTime.IsZero(), true)
	_, err = memory.UpdateInfo(ctx, "other", memslot.Description("x"))
	refusal(t, err, memslot.ErrSlotNotFound)
}

// A forgotten slot is gone; forgetting what is not there is an outcome, no error.
func TestForget(t *testing.T) {
	memory := connected(t)
	_, err := memory.Write(ctx, "n", "x")
	must(t, err)
	for _, want := range []memslot.Outcome{memslot.OutcomeForgotten, memslot.OutcomeAbsent} {
		receipt, err := memory.Forget(ctx, "n", memslot.Erase())
		must(t, err)
		equal(t, receipt.Outcome, want)
	}
	_, err = memory.Describe(ctx, "n")
	refusal(t, err, memslot.ErrSlotNotFound)
}

// Kept versions are listed newest first, and read.
func TestVersions(t *testing.T) {
	memory := connected(t)
	_, err := memory.Namespaces().Update(ctx, "", memslot.KeepVersions(3))
	must(t, err)
	for n := range 5 {
		_, err := memory.Write(ctx, "n", n)
		must(t, err)
	}
	versions, err := memslot.Collect(memory.Versions(ctx, "n"))
	must(t, err)
	equal(t, len(versions), 3)
	slot, err := memory.ReadVersion(ctx, "n", versions[2].GetRevision())
	must(t, err)
	equal(t, string(slot.Bytes()), "2")
	_, err = memory.ReadVersion(ctx, "n", 1)
	refusal(t, err, memslot.ErrVersionNotFound)
	_, err = memslot.Collect(memory.Versions(ctx, "nothing"))
	refusal(t, err, memslot.ErrSlotNotFound)
}
