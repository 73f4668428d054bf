package memslot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/google/uuid"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"
)

// pending is a mutation as it was sent, so that it can be repeated under the same request id.
type pending struct {
	method    string
	requestID string
	answer    reflect.Type
	repeat    func(context.Context) (any, error)
}

// requestID is that of the context, or a fresh one.
func requestID(ctx context.Context) string {
	if id := textOf(ctx, requestIDKey); id != "" {
		return id
	}
	return uuid.NewString()
}

// message is a pointer to a generated message.
type message[M any] interface {
	*M
	proto.Message
}

// ask calls a method that changes nothing.
func ask[Reply any, R message[Reply]](ctx context.Context, c *Client, method string, request proto.Message) (R, error) {
	reply := R(new(Reply))
	if err := c.link.call(ctx, method, request, reply); err != nil {
		return nil, err
	}
	return reply, nil
}

// mutate calls a method whose request already has its request id.
func mutate[Reply any, R message[Reply], T any](
	ctx context.Context, c *Client, method, id string, request proto.Message, decode func(R) T,
) (T, error) {
	reply := R(new(Reply))
	if err := c.link.call(ctx, method, request, reply); err != nil {
		var none T
		sent := proto.Clone(request) // what the caller gave may change from here on
		asked := &pending{method: method, requestID: id, answer: reflect.TypeFor[T]()}
		asked.repeat = func(ctx context.Context) (any, error) { return mutate(ctx, c, method, id, sent, decode) }
		return none, unsettled(err, asked)
	}
	return decode(reply), nil
}

// unsettled makes a failed mutation repeatable, and says so where no answer tells whether it happened. The server's own words
// are an answer; what gRPC says by itself may stand for a reply that was lost.
func unsettled(err error, asked *pending) error {
	var failed *Error
	if !errors.As(err, &failed) {
		return err
	}
	failed.pending = asked
	cutOff := failed.Reason == ErrClientClosed
	if failed.unsent || failed.Reason != "" && !cutOff || !mayHaveHappened(failed.Code) {
		return failed
	}
	settles := "memslot.Retry settles it"
	if cutOff {
		settles = "the same call, with ContextWithRequestID, settles it"
	}
	failed.Reason = ErrOutcomeUnknown
	failed.Message = fmt.Sprintf("%s may have happened or not (%s): %s under request id %s",
		asked.method[1:], cmp.Or(failed.Message, codeName(failed.Code)), settles, asked.requestID)
	return failed
}

func mayHaveHappened(code codes.Code) bool {
	switch code {
	case codes.Unavailable, codes.DeadlineExceeded, codes.Canceled, codes.Unknown, codes.Internal, codes.DataLoss:
		return true
	default:
		return false
	}
}

// Retry repeats the mutation that err is about, under its request id, and returns what the first call would have returned: a T.
//
// If it had happened, the first answer is returned and nothing changes; this holds for ten minutes. It fails as the first call
// does, with [ErrOutcomeUnknown] again when there is still no answer, and with [ErrNotRetryable] when err is not about a mutation
// or T is not what its call returns.
//
//	receipt, err := memory.Write(ctx, "plan", text)
//	if errors.Is(err, memslot.ErrOutcomeUnknown) {
//		receipt, err = memslot.Retry[*memslot.Receipt](ctx, err)
//	}
func Retry[T any](ctx context.Context, err error) (T, error) {
	var none T
	var failed *Error
	if !errors.As(err, &failed) || failed.pending == nil {
		return none, fmt.Errorf("%w: the error is not about a mutation, call the method again", ErrNotRetryable)
	}
	asked, wanted := failed.pending, reflect.TypeFor[T]()
	if !asked.answer.AssignableTo(wanted) {
		return none, fmt.Errorf("%w: %s is answered by %v, not by %v", ErrNotRetryable, asked.method[1:], asked.answer, wanted)
	}
	answer, err := asked.repeat(ctx)
	if err != nil {
		return none, err
	}
	return answer.(T), nil
}
