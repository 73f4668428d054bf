package memslot

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"google.golang.org/genproto/googleapis/rpc/code"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	spb "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

const (
	messageLimit = 300
	timersDiffer = 50 * time.Millisecond
)

// domain is that of the sidecar's reasons.
const domain = "memslot"

// notSent is what gRPC says by itself, with both sizes behind it.
const notSent = "trying to send message larger than max"

// codeName is the name of a code as the contract spells it, UPPER_SNAKE_CASE.
func codeName(number codes.Code) string {
	if name, ok := code.Code_name[int32(number)]; ok {
		return name
	}
	return codeName(codes.Unknown)
}

// callError is the Error for what gRPC returned of a call made with ctx.
func callError(ctx context.Context, err error) *Error {
	var carrier interface{ GRPCStatus() *status.Status }
	told := status.Convert(err)
	if errors.As(err, &carrier) {
		told = carrier.GRPCStatus() // without what gRPC writes around it, such as the number of attempts
	}
	failed := statusError(told.Proto())
	if failed.Reason == "" {
		failed.Message = firstLine(failed.Message)
		if failed.Code == codes.ResourceExhausted && strings.HasPrefix(failed.Message, notSent) {
			failed.Message += ": split it, a body has 3,900,000 bytes at most"
		}
	}
	if failed.Reason == "" && (failed.Code == codes.Canceled || failed.Code == codes.DeadlineExceeded) {
		failed.cause = ctx.Err()
		if failed.cause == nil && failed.Code == codes.DeadlineExceeded {
			failed.cause = context.DeadlineExceeded
		}
	}
	return failed
}

// late is the Error of a call that began then, which tells how long it waited where its deadline has passed. Before it has, it was
// another's deadline, such as a proxy's.
func late(ctx context.Context, began time.Time, failed *Error) *Error {
	deadline, has := ctx.Deadline()
	if failed.Reason != "" || failed.Code != codes.DeadlineExceeded || !has || time.Until(deadline) > timersDiffer {
		return failed
	}
	waited := max(0, deadline.Sub(began)).Round(time.Millisecond)
	failed.Message = fmt.Sprintf("no answer within %v s: raise the deadline of the call's context or WithTimeout of the client", waited.Seconds())
	return failed
}

// firstLine is what gRPC says by itself: behind it may stand what a server that is none of memslot's sent, which may hold a body.
func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return strings.ToValidUTF8(line[:min(len(line), messageLimit)], "")
}

// statusError is the Error for a status of the contract.
func statusError(told *spb.Status) *Error {
	failed := &Error{Code: codes.Code(told.GetCode()), Message: told.GetMessage(), details: told.GetDetails()}
	for _, detail := range status.FromProto(told).Details() {
		switch detail := detail.(type) {
		case *errdetails.ErrorInfo:
			if detail.GetDomain() == domain && failed.Reason == "" { // a proxy's reasons are none of ours
				failed.Reason, failed.Metadata = Reason(detail.GetReason()), detail.GetMetadata()
			}
		case *errdetails.BadRequest:
			if violations := detail.GetFieldViolations(); len(violations) > 0 {
				failed.Field = violations[0].GetField()
			}
		case *errdetails.RetryInfo:
			failed.RetryAfter = detail.GetRetryDelay().AsDuration()
		}
	}
	return failed
}
