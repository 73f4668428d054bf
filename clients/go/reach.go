package memslot

import (
	"context"
	"errors"
	"net"
	"os"
	"strings"
	"syscall"

	"google.golang.org/grpc/codes"
)

// reach asks, until it was once so, whether anybody listens at the target, so that a first call finds out at once instead of
// after its retries. With WithWaitForReady gRPC waits itself.
func (l *link) reach(ctx context.Context) error {
	if l.waitForReady || l.reached.Load() {
		return nil
	}
	network, address, ok := address(l.target)
	if !ok {
		return nil
	}
	conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
	if err != nil {
		return l.unreachable(reasonOf(err), ctx.Err())
	}
	l.reached.Store(true)
	l.conn.ResetConnectBackoff()
	return conn.Close()
}

// address is what to dial for a target of the forms host:port and unix:/path.
func address(target string) (network, address string, ok bool) {
	if path, is := socketPath(target); is {
		return "unix", path, true
	}
	if _, _, err := hostPort(target); err == nil && !strings.Contains(target, "/") {
		return "tcp", target, true
	}
	return "", "", false
}

func (l *link) unreachable(why string, cause error) *Error {
	return &Error{
		Code:    codes.Unavailable,
		Reason:  ErrUnreachable,
		Message: "no memslot sidecar answers at " + l.target + " (" + why + "): is `memslot serve` running there?",
		cause:   cause,
		unsent:  true,
	}
}

// reasonOf is what the system says, without the addresses around it.
func reasonOf(err error) string {
	var number syscall.Errno
	switch {
	case errors.As(err, &number):
		return number.Error()
	case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, context.DeadlineExceeded):
		return "no connection within the deadline"
	default:
		return err.Error()
	}
}
