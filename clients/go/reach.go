package memslot

import (
	"context"
	"errors"
	"net"
	"strings"
	"syscall"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

const (
	firstKnock   = 20 * time.Millisecond
	longestKnock = 500 * time.Millisecond
)

// reach returns when somebody listens at the target, which is asked until it was once so: until a connection was made nothing can
// have been sent, so a first call that finds nobody has a certain outcome. From then on a failure may hide a request that arrived.
func (l *link) reach(ctx context.Context) error {
	if l.isClosed() {
		return closed()
	}
	if err := ctx.Err(); err != nil {
		failed := callError(ctx, status.FromContextError(err).Err())
		failed.unsent = true
		return failed
	}
	network, address, known := address(l.target)
	if !known || l.reached.Load() {
		return nil
	}
	dialling, stop := context.WithCancel(ctx)
	defer stop()
	defer context.AfterFunc(l.closing, stop)()
	for wait := firstKnock; ; wait = min(longestKnock, 2*wait) {
		conn, err := (&net.Dialer{}).DialContext(dialling, network, address)
		if err == nil {
			l.reached.Store(true)
			return conn.Close()
		}
		if l.isClosed() {
			return closed()
		}
		if !l.waitForReady || ctx.Err() != nil || slept(dialling, wait) != nil && !l.isClosed() {
			return l.unreachable(err, ctx.Err())
		}
	}
}

// address is what to dial for a target of the forms host:port and unix:/path; others are left to gRPC.
func address(target string) (network, address string, known bool) {
	if path, is := socketPath(target); is {
		return "unix", path, true
	}
	if _, _, err := hostPort(target); err == nil && !strings.Contains(target, "/") {
		return "tcp", target, true
	}
	return "", "", false
}

// unreachable says that no connection was made, and why.
func (l *link) unreachable(why, cause error) *Error {
	said := why.Error()
	var number syscall.Errno
	if errors.As(why, &number) {
		said = number.Error() // without the addresses around it
	}
	return &Error{
		Code:    codes.Unavailable,
		Reason:  ErrUnreachable,
		Message: "no memslot sidecar answers at " + l.target + " (" + said + "): is `memslot serve` running there?",
		cause:   cause,
		unsent:  true,
	}
}

// slept waits. It fails when the context ends.
func slept(ctx context.Context, span time.Duration) error {
	timer := time.NewTimer(span)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
