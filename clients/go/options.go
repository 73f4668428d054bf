package memslot

import (
	"context"
	"crypto/tls"
	_ "embed"
	"errors"
	"fmt"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
)

const (
	// DefaultTarget is where a sidecar listens unless it is told otherwise.
	DefaultTarget = "127.0.0.1:7420"
	// DefaultTimeout bounds a call, retries included.
	DefaultTimeout = 10 * time.Second
	// MessageLimit bounds requests and replies in bytes, as the server's setting of that name does.
	MessageLimit = 4 * 1024 * 1024
)

// serviceConfig says how calls are retried: five attempts over about three seconds, with jitter, while the sidecar is
// UNAVAILABLE; it may push back (gRPC proposal A6).
//
//go:embed service_config.json
var serviceConfig string

// An Option says how to connect, or on whose behalf.
type Option func(*config) error

type config struct {
	target, namespace string
	timeout           time.Duration
	waitForReady      bool
	messageLimit      int
	said              said
	transport         credentials.TransportCredentials
	token             TokenSource
	dial              []grpc.DialOption
}

// WithNamespace says which namespace calls are about.
func WithNamespace(path string) Option {
	return func(c *config) error { c.namespace = firstOf(path, c.namespace); return nil }
}

// WithTimeout bounds each call whose context has no deadline, retries included; 0 waits without bound.
func WithTimeout(timeout time.Duration) Option {
	return func(c *config) error {
		if timeout < 0 {
			return errors.New("memslot: a timeout is positive; 0 waits without bound")
		}
		c.timeout = timeout
		return nil
	}
}

// WithWaitForReady lets calls wait for a sidecar that is still starting, within their deadline.
func WithWaitForReady() Option {
	return func(c *config) error { c.waitForReady = true; return nil }
}

// WithMessageLimit bounds requests and replies in bytes, for a sidecar with another limit than [MessageLimit].
func WithMessageLimit(limit int) Option {
	return func(c *config) error {
		if limit < 1 {
			return fmt.Errorf("memslot: the message limit is %d bytes: at least 1 is needed", limit)
		}
		c.messageLimit = limit
		return nil
	}
}

// WithTLS connects by TLS; nil takes the system's certificate authorities.
func WithTLS(settings *tls.Config) Option {
	return func(c *config) error { c.transport = credentials.NewTLS(settings); return nil }
}

// WithCAFile connects by TLS, and believes the certificate authorities of a PEM file alone.
func WithCAFile(path string) Option {
	return func(c *config) error {
		transport, err := credentials.NewClientTLSFromFile(path, "")
		if err != nil {
			return fmt.Errorf("memslot: certificate authorities: %w", err)
		}
		c.transport = transport
		return nil
	}
}

// WithToken sends a bearer token with every call. It is refused for plaintext TCP to another machine.
func WithToken(token string) Option {
	return func(c *config) error {
		c.token = func(context.Context) (string, error) { return token, nil }
		return checkToken(token)
	}
}

// WithTokenSource asks for the bearer token before each call: for one that is renewed, such as a pod's.
func WithTokenSource(source TokenSource) Option {
	return func(c *config) error {
		if source == nil {
			return errors.New("memslot: the token source is nil")
		}
		c.token = source
		return nil
	}
}

// WithAgent says in the audit which agent asks; recorded as said.
func WithAgent(agent string) Option {
	return func(c *config) error { c.said.agent = agent; return nil }
}

// WithConversation says in the audit which conversation calls belong to; recorded as said.
func WithConversation(conversation string) Option {
	return func(c *config) error { c.said.conversation = conversation; return nil }
}

// WithDialOptions adds options of gRPC, such as interceptors for tracing. They are applied last. A dialer of one's own wants a target
// of another form, such as passthrough:///name: host:port and unix:/path are dialled before the first call, to see who listens.
func WithDialOptions(options ...grpc.DialOption) Option {
	return func(c *config) error { c.dial = append(c.dial, options...); return nil }
}

// check refuses what cannot work.
func (c *config) check() error {
	if err := checkTarget(c.target); err != nil {
		return err
	}
	if c.token != nil && c.transport == nil && !staysHere(c.target) {
		return fmt.Errorf("memslot: a token would cross the network in plain text to %s: use WithTLS, a unix socket or a loopback address", c.target)
	}
	return c.said.check()
}

func (c *config) dialOptions() []grpc.DialOption {
	transport := c.transport
	if transport == nil {
		transport = insecure.NewCredentials()
	}
	options := []grpc.DialOption{
		grpc.WithTransportCredentials(transport),
		grpc.WithDefaultServiceConfig(serviceConfig),
		grpc.WithDisableServiceConfig(), // that of the name server
		grpc.WithNoProxy(),
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff:           backoff.Config{BaseDelay: 100 * time.Millisecond, Multiplier: 1.6, Jitter: 0.2, MaxDelay: 5 * time.Second},
			MinConnectTimeout: 5 * time.Second,
		}),
		grpc.WithDefaultCallOptions(
			grpc.MaxCallSendMsgSize(c.messageLimit),
			grpc.MaxCallRecvMsgSize(c.messageLimit),
			grpc.MaxRetryRPCBufferSize(c.messageLimit+4096), // gRPC retries nothing above 256 KiB unless told
			grpc.WaitForReady(c.waitForReady),
		),
	}
	if c.token != nil {
		options = append(options, grpc.WithPerRPCCredentials(bearer{c.token, !staysHere(c.target)}))
	}
	return append(options, c.dial...)
}
