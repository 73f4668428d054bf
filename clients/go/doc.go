// Package memslot is the Go client of memslot, the memory sidecar for LLM agents: memory lives outside the prompt, in named
// slots, and only what is asked for by name comes into it.
//
//	memory, err := memslot.Connect("127.0.0.1:7420", memslot.WithNamespace("acme/support/task-42"))
//	if err != nil {
//		return err
//	}
//	defer memory.Close()
//	receipt, err := memory.Write(ctx, "customer", map[string]any{"name": "Ada"}, memslot.TTL(time.Hour))
//
// # Calls
//
// Every call takes a context first. A context that has no deadline of its own is given the client's timeout, ten seconds
// unless [WithTimeout] says otherwise, retries included. While the sidecar is UNAVAILABLE a call is tried up to five times
// within it. A mutation keeps one request id over its retries, so it happens once; when no answer settles whether it did, the
// error is [ErrOutcomeUnknown], and [Retry] repeats the very same request.
//
// # Errors
//
// What the sidecar refuses is an [*Error]; each of its reasons is a constant for [errors.Is], such as [ErrSlotNotFound]:
//
//	if errors.Is(err, memslot.ErrRevisionMismatch) { ... }
//
// # Bodies
//
// No error, no log line and no printed value of this package holds a body. Values that carry one keep it behind a method
// ([Slot.Bytes], [Slot.Text], [Slot.Decode]), where neither fmt nor log/slog nor encoding/json finds it.
//
// # The raw contract
//
// A [Client] is a [google.golang.org/grpc.ClientConnInterface]: memslotv1.NewSlotServiceClient(client) gives the generated
// stubs, with the client's deadline, retries, request ids, metadata and errors.
package memslot
