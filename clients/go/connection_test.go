package memslot_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	memslot "github.com/memslot/memslot/clients/go"
	memslotv1 "github.com/memslot/memslot/clients/go/memslot/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
)

// certified returns TLS settings for 127.0.0.1, and a file with the authority that vouches for them.
func certified(t testing.TB) (*tls.Config, string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	must(t, err)
	file := filepath.Join(t.TempDir(), "ca.pem")
	must(t, os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600))
	return &tls.Config{
		Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}, NextProtos: []string{"h2"},
	}, file
}

// A target that cannot work is refused at once, and a token that would cross the network in plain text.
func TestTargets(t *testing.T) {
	token := []memslot.Option{memslot.WithToken("the-token")}
	encrypted := append([]memslot.Option{memslot.WithTLS(nil)}, token...)
	for _, one := range []struct {
		target  string
		options []memslot.Option
		told    string
	}{
		{"127.0.0.1:7420", token, ""},
		{"127.8.9.1:7420", token, ""},
		{"[::1]:7420", token, ""},
		{"localhost:7420", token, ""},
		{"unix:/tmp/s", token, ""},
		{"unix:///tmp/s", token, ""},
		{"10.0.0.1:7420", nil, ""},
		{"10.0.0.1:7420", encrypted, ""},
		{"10.0.0.1:7420", token, "plain text"},
		{"localhost.example.com:7420", token, "plain text"},
		{"dns:///localhost:7420", token, "plain text"},
		{"http://localhost:7422", nil, "web address"},
		{"unix:/" + strings.Repeat("x", 107), nil, "108 bytes"},
		{"unix:/" + strings.Repeat("x", 106), nil, ""},
		{"localhost:1", []memslot.Option{memslot.WithTimeout(-1)}, "positive"},
		{"localhost:1", []memslot.Option{memslot.WithMessageLimit(0)}, "at least 1"},
		{"localhost:1", []memslot.Option{memslot.WithAgent(strings.Repeat("x", 5000))}, "at most 4096"},
		{"localhost:1", []memslot.Option{memslot.WithToken("the-token\n")}, "printable ASCII"},
		{"localhost:1", []memslot.Option{memslot.WithToken("")}, "printable ASCII"},
		{"localhost:http", nil, "no target"},
		{":7420", nil, "no target"},
		{"passthrough:///anything", nil, ""},
		{"dns:example.com:7420", nil, ""},
		{"localhost", nil, "no target"},
		{"::1:7420", nil, "[address]:port"},
		{"localhost:99999", nil, "no target"},
		{"10.0.0.1:7420", append([]memslot.Option{memslot.WithDialOptions(grpc.WithTransportCredentials(insecure.NewCredentials()))}, encrypted...), "transport level security"},
	} {
		memory, err := memslot.Connect(one.target, one.options...)
		switch {
		case one.told == "":
			must(t, err)
			must(t, memory.Close())
		case err == nil || !strings.Contains(err.Error(), one.told) || strings.Contains(err.Error(), "the-token"):
			t.Errorf("%s: got %v, want %s", one.target, err, one.told)
		}
	}
}

// A socket is found under its very path, whatever characters that has; a path may be relative.
func TestSocketPaths(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"a b", "a?b", "a#b", "a%20b", "a%zz", "日本", "a:b", "[x]"} {
		proxied(t, "unix", name, nil)
		absolute, err := filepath.Abs(name)
		must(t, err)
		for _, target := range []string{"unix:" + name, "unix:./" + name, "unix:" + absolute, "unix://" + absolute} {
			_, err := connectedTo(t, target, memslot.WithTimeout(5*time.Second)).Write(ctx, "n", 1)
			must(t, err)
		}
	}
}

// Where nothing is said, the environment says where the sidecar and the namespace are.
func TestEnvironment(t *testing.T) {
	t.Setenv("MEMSLOT_TARGET", "unix:/tmp/s")
	t.Setenv("MEMSLOT_NAMESPACE", "from/there")
	memory, err := memslot.Connect("")
	must(t, err)
	equal(t, memory.String(), `memslot.Client("from/there" at unix:/tmp/s)`)
	equal(t, memory.Namespace("other").NamespacePath(), "other")
}

// A sidecar that is not there is ErrUnreachable at once, and nothing happened.
func TestNobodyListens(t *testing.T) {
	memory := connectedTo(t, "unix:"+filepath.Join(t.TempDir(), "s"))
	_, err := memory.Write(ctx, "n", 1)
	failed := refusal(t, err, memslot.ErrUnreachable)
	equal(t, errors.Is(err, memslot.ErrOutcomeUnknown), false)
	equal(t, failed.Code, codes.Unavailable)
	equal(t, strings.Contains(err.Error(), "no such file or directory"), true)
	_, err = memory.Backup(ctx, io.Discard)
	refusal(t, err, memslot.ErrUnreachable)
}

// The first calls of a client may be many at once.
func TestFirstCallsAtOnce(t *testing.T) {
	for range 20 {
		memory := connected(t)
		var working sync.WaitGroup
		for range 16 {
			working.Go(func() {
				if _, err := memory.ServerInfo(ctx); err != nil {
					t.Error(err)
				}
			})
		}
		working.Wait()
	}
}

// A client that is told so waits for a sidecar that is still starting, within its deadline.
func TestWaitForReady(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	memory := connectedTo(t, "unix:"+path, memslot.WithWaitForReady())
	soon, cancel := context.WithTimeout(ctx, 30*time.Millisecond)
	defer cancel()
	_, err := memory.Write(soon, "n", 1)
	refusal(t, err, memslot.ErrUnreachable)
	equal(t, errors.Is(err, context.DeadlineExceeded), true)
	written := make(chan error)
	go func() {
		_, err := memory.Write(ctx, "n", 1)
		written <- err
	}()
	proxied(t, "unix", path, nil)
	must(t, <-written)
}

// A context's own deadline holds instead of the client's timeout; both are told as gRPC and Go tell them.
func TestDeadlines(t *testing.T) {
	memory := connected(t, memslot.WithTimeout(time.Nanosecond))
	_, err := memory.Read(ctx, "n")
	equal(t, errors.Is(err, context.DeadlineExceeded), true)
	equal(t, status.Code(err), codes.DeadlineExceeded)
	long, cancel := context.WithTimeout(ctx, time.Minute)
	_, err = memory.Write(long, "n", 1)
	must(t, err)
	cancel()
	_, err = memory.Write(long, "n", 2)
	equal(t, errors.Is(err, context.Canceled), true)
	equal(t, errors.Is(err, memslot.ErrOutcomeUnknown), false) // it was never sent
}

// A mutation whose reply is lost is an unknown outcome; Retry returns the first answer and changes nothing.
func TestOutcomeUnknown(t *testing.T) {
	between := proxied(t, "tcp", "127.0.0.1:0", nil)
	memory := connectedTo(t, between.target())
	_, err := memory.Write(ctx, "warm", 1)
	must(t, err)
	between.swallowing.Store(true)
	soon, cancel := context.WithTimeout(ctx, 200*time.Millisecond)
	defer cancel()
	_, err = memory.Append(soon, "log", secret)
	failed := refusal(t, err, memslot.ErrOutcomeUnknown)
	equal(t, failed.Code, codes.DeadlineExceeded)
	equal(t, errors.Is(err, context.DeadlineExceeded), true)
	equal(t, strings.Contains(err.Error(), failed.RequestID()), true)
	equal(t, shows(everything(err)), false)
	_, raw := memslotv1.NewSlotServiceClient(memory).Forget(soon, &memslotv1.ForgetRequest{Namespace: "x", Name: "y"})
	equal(t, errors.Is(raw, context.DeadlineExceeded), true)
	between.swallowing.Store(false)
	between.cut()

	_, wrong := memslot.Retry[*memslot.Slot](ctx, err)
	equal(t, errors.Is(wrong, memslot.ErrNotRetryable), true)
	for range 2 {
		receipt, err := memslot.Retry[*memslot.Receipt](ctx, err)
		must(t, err)
		equal(t, receipt.Outcome, memslot.OutcomeCreated)
		equal(t, receipt.Version, 1)
	}
	text, err := memslot.ReadAs[string](ctx, memory, "log")
	must(t, err)
	equal(t, text, secret)
	_, err = memory.Read(ctx, "nothing")
	_, err = memslot.Retry[any](ctx, err)
	equal(t, errors.Is(err, memslot.ErrNotRetryable), true)
}

// What Retry repeats is what was sent, though the caller's bytes and slices are others since.
func TestRetryAfterTheCallerWroteOn(t *testing.T) {
	between := proxied(t, "tcp", "127.0.0.1:0", nil)
	memory := connectedTo(t, between.target())
	_, err := memory.Write(ctx, "warm", 1)
	must(t, err)
	between.swallowing.Store(true)
	soon, cancel := context.WithTimeout(ctx, 200*time.Millisecond)
	defer cancel()
	body, tags := []byte("first"), []string{"first"}
	_, lost := memory.Write(soon, "n", body, memslot.Tags(tags...))
	refusal(t, lost, memslot.ErrOutcomeUnknown)
	request := &memslotv1.WriteRequest{Namespace: memory.NamespacePath(), Name: "raw", Body: body}
	later, cancel := context.WithTimeout(ctx, 200*time.Millisecond)
	defer cancel()
	_, rawLost := memslotv1.NewSlotServiceClient(memory).Write(later, request)
	refusal(t, rawLost, memslot.ErrOutcomeUnknown)
	copy(body, "other")
	tags[0], request.Name = "other", "elsewhere"
	between.swallowing.Store(false)
	between.cut()
	receipt, err := memslot.Retry[*memslot.Receipt](ctx, lost)
	must(t, err)
	equal(t, receipt.Outcome, memslot.OutcomeCreated)
	reply, err := memslot.Retry[*memslotv1.WriteResponse](ctx, rawLost)
	must(t, err)
	equal(t, reply.GetReceipt().GetName(), "raw")
}

// By TLS through a proxy the real sidecar answers as it does by socket.
func TestSidecarBehindTLS(t *testing.T) {
	settings, file := certified(t)
	memory := connectedTo(t, proxied(t, "tcp", "127.0.0.1:0", settings).target(), memslot.WithCAFile(file))
	_, err := memory.Write(ctx, "n", "x")
	must(t, err)
	text, err := memslot.ReadAs[string](ctx, memory, "n")
	must(t, err)
	equal(t, text, "x")
}
