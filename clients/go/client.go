package memslot

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strconv"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// A Client is about the slots of one namespace. It may be used from any number of goroutines. It is also a
// [grpc.ClientConnInterface], from which the generated stubs of the contract are made.
type Client struct {
	link      *link
	namespace string
}

// link is what all clients of one connection share.
type link struct {
	conn         *grpc.ClientConn
	target       string
	timeout      time.Duration
	waitForReady bool
	said         said
	reached      atomic.Bool
	closing      context.Context
	close        context.CancelFunc
}

var (
	_ grpc.ClientConnInterface = (*Client)(nil)
	_ io.Closer                = (*Client)(nil)
	_ slog.LogValuer           = (*Client)(nil)
	_ fmt.Formatter            = (*Client)(nil)
)

// Connect returns a client of the sidecar at target; nothing is connected before the first call.
//
// The target is host:port or unix:/path; empty, it is that of the environment variable MEMSLOT_TARGET, else 127.0.0.1:7420.
// The namespace is that of [WithNamespace], of MEMSLOT_NAMESPACE, or `default`. A target or an option that cannot work is an
// error.
func Connect(target string, options ...Option) (*Client, error) {
	config := config{
		target:       firstOf(target, os.Getenv("MEMSLOT_TARGET"), DefaultTarget),
		namespace:    firstOf(os.Getenv("MEMSLOT_NAMESPACE"), "default"),
		timeout:      DefaultTimeout,
		messageLimit: MessageLimit,
	}
	for _, option := range options {
		if err := option(&config); err != nil {
			return nil, err
		}
	}
	if err := config.check(); err != nil {
		return nil, err
	}
	conn, err := grpc.NewClient(dialled(config.target), config.dialOptions()...)
	if err != nil {
		return nil, fmt.Errorf("memslot: target %s: %w", config.target, err)
	}
	closing, closed := context.WithCancel(context.Background())
	return &Client{namespace: config.namespace, link: &link{
		closing: closing, close: closed,
		conn: conn, target: config.target, timeout: config.timeout, waitForReady: config.waitForReady, said: config.said,
	}}, nil
}

// NamespacePath is the path that calls are about.
func (c *Client) NamespacePath() string { return c.namespace }

// Namespace returns a client for another namespace (a whole path) on the same connection; closing either closes both.
// [JoinNamespace] makes a path from any strings.
func (c *Client) Namespace(path string) *Client {
	return &Client{link: c.link, namespace: path}
}

// Close closes the connection, for each client on it. Closing it again does nothing.
//
// From then on calls fail with [ErrClientClosed], and nothing is sent. So do calls that were under way, but a mutation that was
// sent fails with [ErrOutcomeUnknown]: the same call by a new client, with its request id in [ContextWithRequestID], settles it.
func (c *Client) Close() error {
	c.link.close()
	if err := c.link.conn.Close(); status.Code(err) != codes.Canceled { // which says that it was closed before
		return err
	}
	return nil
}

// String names the namespace and the target.
func (c *Client) String() string {
	return "memslot.Client(" + strconv.Quote(c.namespace) + " at " + c.link.target + ")"
}

// Format writes what [Client.String] returns, whatever the verb: options such as a token are never printed.
func (c *Client) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, c.String()) }

// LogValue names the namespace and the target.
func (c *Client) LogValue() slog.Value {
	return slog.GroupValue(slog.String("namespace", c.namespace), slog.String("target", c.link.target))
}

func firstOf(choices ...string) string {
	for _, choice := range choices {
		if choice != "" {
			return choice
		}
	}
	return ""
}
