package memslot

import (
	"context"
	"errors"

	"google.golang.org/grpc/codes"
)

const reopen = ": open a new one with memslot.Connect"

func (l *link) isClosed() bool { return l.closing.Err() != nil }

// closed is the Error of a call on a closed client: nothing was sent.
func closed() *Error {
	return &Error{Code: codes.Canceled, Reason: ErrClientClosed, Message: "the client is closed" + reopen, unsent: true}
}

// failed is the Error for what gRPC returned of a call made with ctx, which closing the client may have cut off.
func (l *link) failed(ctx context.Context, err error) *Error {
	var refused *Error
	if errors.As(err, &refused) {
		return refused
	}
	failed := callError(ctx, err)
	if failed.Reason == "" && failed.Code == codes.Canceled && ctx.Err() == nil && l.isClosed() {
		failed.Reason, failed.Message = ErrClientClosed, "the client was closed while the call was under way"+reopen
	}
	return failed
}
