package memslot_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"

	memslot "github.com/memslot/memslot/clients/go"
	memslotv1 "github.com/memslot/memslot/clients/go/memslot/v1"
)

const secret = "the secret body of a slot"

// everything is all that printing and logging a value shows, by itself and inside of others.
func everything(value any) string {
	var text bytes.Buffer
	nested := []any{value, struct{ Inside any }{value}, []any{value}, map[string]any{"inside": value}, struct{ inside any }{value}}
	asText, asJSON := slog.New(slog.NewTextHandler(&text, nil)), slog.New(slog.NewJSONHandler(&text, nil))
	for _, one := range nested {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
			fmt.Fprintf(&text, verb+"\n", one)
		}
		asText.Info("told", "value", one)
		asJSON.Info("told", "value", one)
		_ = json.NewEncoder(&text).Encode(one)
	}
	if err, ok := value.(error); ok && errors.Unwrap(err) != nil {
		text.WriteString(everything(errors.Unwrap(err)))
	}
	return text.String()
}

// shows tells whether a text holds the secret in any of the forms that printers give it.
func shows(text string) bool {
	for _, form := range []string{secret, fmt.Sprintf("%x", secret), fmt.Sprint([]byte(secret)), "0x74, 0x68, 0x65", "dGhlIHNlY3JldCBib2R5"} {
		if strings.Contains(text, form) {
			return true
		}
	}
	return false
}

// No value that the client returns shows a body, however it is printed, logged or made JSON.
func TestNoValueShowsABody(t *testing.T) {
	memory := connected(t)
	receipt, err := memory.Write(ctx, "s", secret)
	must(t, err)
	slot, err := memory.Read(ctx, "s")
	must(t, err)
	several, err := memory.ReadMany(ctx, "s")
	must(t, err)
	summary, _, err := memory.Summary(ctx, "s")
	must(t, err)
	injection, err := memory.Inject(ctx, []string{"s"})
	must(t, err)
	output := `Noted. {"action":"mem_write","slot":"t","value":"` + secret + `"} {"action":"mem_read","slot":"s"} ` + secret
	acted, err := memory.Act(ctx, output, memslot.ShowOnce(0))
	must(t, err)
	equal(t, len(acted.Actions), 2)
	batch := new(memslot.Batch).Write("u", secret)
	task, err := memory.BeginTask(ctx, "job")
	must(t, err)
	for _, value := range []any{
		receipt, *receipt, slot, *slot, []*memslot.Slot{slot}, several, summary, *summary, injection, *injection, acted, *acted,
		acted.Actions, batch, *batch, task, memory, memslot.Description("x"),
	} {
		if text := everything(value); shows(text) {
			t.Errorf("a %T shows a body: %s", value, text)
		}
	}
	equal(t, fmt.Sprint(slot), fmt.Sprintf(`memslot.Slot(name="s", namespace="go/TestNoValueShowsABody", revision=%d, content_type="text/plain", 25 bytes)`, slot.Revision))
	text, err := slot.Text()
	must(t, err)
	equal(t, text, secret)
	equal(t, summary.Text(), secret)
	if !shows(injection.Text()) || !shows(acted.Injection()) || !shows(acted.UserText()) || !shows(string(acted.Actions[0].Arguments())) {
		t.Error("what was asked for is not there")
	}
}

// What another server than a sidecar answers is not repeated, since it may hold a body.
func TestNoErrorShowsWhatAnotherServerEchoes(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	server := &http.Server{Protocols: new(http.Protocols), Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.Copy(w, r.Body)
	})}
	server.Protocols.SetUnencryptedHTTP2(true)
	t.Cleanup(func() { _ = server.Close() })
	go func() { _ = server.Serve(listener) }()
	_, err = connectedTo(t, listener.Addr().String()).Write(ctx, "s", secret)
	if text := everything(err); shows(text) || !strings.Contains(text, "400") {
		t.Errorf("got %s", text)
	}
}

// No error shows a body, nor a token.
func TestNoErrorShowsABody(t *testing.T) {
	memory := connected(t, memslot.WithToken("the-token"))
	_, err := memory.Write(ctx, "s", secret)
	must(t, err)
	failed := map[string]error{}
	_, failed["exists"] = memory.Write(ctx, "s", secret, memslot.IfAbsent())
	_, failed["revision"] = memory.Write(ctx, "s", secret, memslot.IfRevision(1<<40))
	_, failed["not JSON"] = memory.Write(ctx, "s", secret, memslot.ContentType("application/json"))
	_, failed["too large"] = memory.Write(ctx, "s", strings.Repeat(secret, 1000))
	_, failed["above the message limit"] = memory.Write(ctx, "s", strings.Repeat(secret, 200_000))
	_, failed["patch of text"] = memory.Patch(ctx, "s", map[string]string{"x": secret})
	_, failed["commit"] = memory.Commit(ctx, new(memslot.Batch).Write("a", secret).Check("s", memslot.IfAbsent()))
	_, failed["raw"] = memslotv1.NewSlotServiceClient(memory).Write(ctx, &memslotv1.WriteRequest{Body: []byte(secret)})
	_, failed["reuse"] = memory.Write(memslot.ContextWithRequestID(ctx, "no uuid"), "s", secret)
	away, err := memslot.Connect("unix:/nowhere/at/all", memslot.WithToken("the-token"))
	must(t, err)
	_, failed["nobody"] = away.Write(ctx, "s", secret)
	for what, err := range failed {
		var typed *memslot.Error
		if !errors.As(err, &typed) {
			t.Errorf("%s: got %v", what, err)
			continue
		}
		if text := everything(err); shows(text) || strings.Contains(text, "the-token") {
			t.Errorf("%s: an error shows a body: %s", what, text)
		}
	}
}
