package memslot_test

import (
	"context"
	"errors"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"

	memslot "github.com/memslot/memslot/clients/go"
	memslotv1 "github.com/memslot/memslot/clients/go/memslot/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

// recorder notes what arrives on the wire. It answers with empty messages, after so many times UNAVAILABLE.
type recorder struct {
	target  string
	lock    sync.Mutex
	failing int
	headers []metadata.MD
	writes  []*memslotv1.WriteRequest
}

func recording(t testing.TB, options ...grpc.ServerOption) *recorder {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	started := &recorder{target: listener.Addr().String()}
	server := grpc.NewServer(append(options, grpc.UnknownServiceHandler(started.handle))...)
	t.Cleanup(server.Stop)
	go func() { _ = server.Serve(listener) }()
	return started
}

func (r *recorder) handle(_ any, stream grpc.ServerStream) error {
	request := &memslotv1.WriteRequest{}
	if err := stream.RecvMsg(request); err != nil {
		return err
	}
	header, _ := metadata.FromIncomingContext(stream.Context())
	r.lock.Lock()
	defer r.lock.Unlock()
	r.headers, r.writes = append(r.headers, header), append(r.writes, request)
	if r.failing > 0 {
		r.failing--
		return status.Error(codes.Unavailable, "not now")
	}
	return stream.SendMsg(&memslotv1.WriteResponse{})
}

// What is said about a call stands beside it, as text where gRPC can carry it and in binary elsewhere, with the caller's own.
func TestMetadata(t *testing.T) {
	server := recording(t)
	memory := connectedTo(t, server.target, memslot.WithAgent("planner"), memslot.WithConversation("gespräch"), memslot.WithToken("the-token"))
	turn := memslot.ContextWithTraceparent(memslot.ContextWithTurn(ctx, "7"), "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
	_, err := memory.Write(metadata.AppendToOutgoingContext(turn, "x-own", "kept"), "n", 1)
	must(t, err)
	for key, want := range map[string]string{
		"memslot-agent": "planner", "memslot-conversation-bin": "gespräch", "memslot-turn": "7", "x-own": "kept",
		"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "authorization": "Bearer the-token",
	} {
		if got := server.headers[0].Get(key); !slices.Equal(got, []string{want}) {
			t.Errorf("%s is %q, not %q", key, got, want)
		}
	}
	if _, err := memory.Read(memslot.ContextWithTurn(ctx, strings.Repeat("x", 5000)), "n"); err == nil || !strings.Contains(err.Error(), "at most 4096") {
		t.Errorf("got %v", err)
	}
}

// A token that no header can hold, or whose source fails, is told as that, and nothing is sent.
func TestTokensThatCannotBeSent(t *testing.T) {
	server := recording(t)
	for told, source := range map[string]memslot.TokenSource{
		"printable ASCII":     func(context.Context) (string, error) { return "the-token\n", nil },
		"the vault is closed": func(context.Context) (string, error) { return "", errors.New("the vault is closed") },
	} {
		_, err := connectedTo(t, server.target, memslot.WithTokenSource(source)).Write(ctx, "n", 1)
		if status.Code(err) != codes.Unauthenticated || errors.Is(err, memslot.ErrOutcomeUnknown) {
			t.Errorf("got %v", err)
		}
		if text := everything(err); !strings.Contains(text, told) || strings.Contains(text, "the-token") {
			t.Errorf("got %s", text)
		}
	}
	equal(t, len(server.headers), 0)
	if _, err := memslot.Connect(server.target, memslot.WithTokenSource(nil)); err == nil {
		t.Error("a source that is nil is no error")
	}
}

// A mutation keeps its one request id over its retries, however large it is; other mutations have others.
func TestRequestIDOverRetries(t *testing.T) {
	server := recording(t)
	memory := connectedTo(t, server.target)
	for _, size := range []int{10, 3_000_000} {
		server.writes, server.failing = nil, 2
		_, err := memory.Write(ctx, "n", strings.Repeat("x", size))
		must(t, err)
		equal(t, len(server.writes), 3)
		id := server.writes[0].GetRequestId()
		equal(t, len(id), 36)
		equal(t, server.writes[1].GetRequestId(), id)
		equal(t, server.writes[2].GetRequestId(), id)
	}
	server.writes = nil
	_, err := memory.Write(memslot.ContextWithRequestID(ctx, "0af76519-16cd-43dd-8448-eb211c80319c"), "n", 1)
	must(t, err)
	_, err = memory.Write(ctx, "n", 1)
	must(t, err)
	equal(t, server.writes[0].GetRequestId(), "0af76519-16cd-43dd-8448-eb211c80319c")
	equal(t, server.writes[1].GetRequestId() == server.writes[0].GetRequestId(), false)
}

// The raw stubs fill in a request id too, and leave the caller's message as it is.
func TestRawStubs(t *testing.T) {
	server := recording(t)
	stub := memslotv1.NewSlotServiceClient(connectedTo(t, server.target))
	request := &memslotv1.WriteRequest{Namespace: "a", Name: "n", Body: []byte("x"), Tags: []string{"t"}}
	for range 2 {
		_, err := stub.Write(ctx, request)
		must(t, err)
	}
	equal(t, request.GetRequestId(), "")
	equal(t, server.writes[0].GetRequestId() != server.writes[1].GetRequestId(), true)
	equal(t, string(server.writes[0].GetBody())+server.writes[0].GetTags()[0], "xt")
}

// The token goes by TLS to whoever the certificate authority vouches for, and to nobody else.
func TestTLS(t *testing.T) {
	settings, file := certified(t)
	server := recording(t, grpc.Creds(credentials.NewTLS(settings)))
	memory := connectedTo(t, server.target, memslot.WithCAFile(file), memslot.WithToken("the-token"))
	_, err := memory.Write(ctx, "n", 1)
	must(t, err)
	equal(t, server.headers[0].Get("authorization")[0], "Bearer the-token")
	stranger := connectedTo(t, server.target, memslot.WithTLS(nil), memslot.WithToken("the-token"))
	_, err = stranger.Read(ctx, "n")
	if status.Code(err) != codes.Unavailable || !strings.Contains(err.Error(), "certificate") || strings.Contains(everything(err), "the-token") {
		t.Errorf("got %v", err)
	}
	equal(t, len(server.headers), 1)
	if _, err := memslot.Connect(server.target, memslot.WithCAFile("nowhere.pem")); err == nil {
		t.Error("a missing file is no error")
	}
}
