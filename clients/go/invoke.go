package memslot

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"time"
	"unicode/utf8"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protopath"
	"google.golang.org/protobuf/reflect/protorange"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Invoke calls a unary method of the contract by its full name (`/memslot.v1.SlotService/Write`), with the client's deadline,
// retries and metadata. A mutation without a request id is given one; the message itself is not changed. Errors are [*Error].
//
// The generated stubs call it: memslotv1.NewSlotServiceClient(client).
func (c *Client) Invoke(ctx context.Context, method string, args, reply any, opts ...grpc.CallOption) error {
	request, ok := args.(proto.Message)
	answer, ok2 := reply.(proto.Message)
	if !ok || !ok2 {
		return fmt.Errorf("memslot: %s takes messages of protobuf, not %T and %T", method, args, reply)
	}
	request, id := identified(ctx, request)
	err := c.link.call(ctx, method, request, answer, opts...)
	if err == nil || id == "" {
		return err
	}
	asked, sent := &pending{method: method, requestID: id, answer: reflect.TypeOf(reply)}, proto.Clone(request)
	asked.repeat = func(ctx context.Context) (any, error) {
		again := answer.ProtoReflect().New().Interface()
		return again, c.Invoke(ctx, method, sent, again, opts...)
	}
	return unsettled(err, asked)
}

// NewStream begins a streaming call, such as Backup, with the client's metadata. It has no deadline but the context's, and its
// errors are gRPC's own, but for [ErrUnreachable] and [ErrClientClosed].
func (c *Client) NewStream(ctx context.Context, desc *grpc.StreamDesc, method string, opts ...grpc.CallOption) (grpc.ClientStream, error) {
	ctx, err := c.link.said.attach(ctx)
	if err != nil {
		return nil, err
	}
	if err := c.link.reach(ctx); err != nil {
		return nil, err
	}
	return c.link.conn.NewStream(ctx, desc, method, opts...)
}

// call performs one unary call. Its errors are *Error, but for what was wrong before anything was called.
func (l *link) call(ctx context.Context, method string, request, reply proto.Message, opts ...grpc.CallOption) error {
	began := time.Now()
	ctx, cancel := l.bounded(ctx)
	defer cancel()
	ctx, err := l.said.attach(ctx)
	if err != nil {
		return err
	}
	if err := l.reach(ctx); err != nil {
		return err
	}
	err = l.conn.Invoke(ctx, method, request, reply, opts...)
	if err == nil {
		return nil
	}
	if field := notUTF8(request); field != "" {
		return fmt.Errorf("memslot: %s is not UTF-8", field)
	}
	return late(ctx, began, l.failed(ctx, err))
}

// notUTF8 is the path of a text in a request that is no UTF-8, with which nothing was sent; empty when all are.
func notUTF8(request proto.Message) (path string) {
	_ = protorange.Range(request.ProtoReflect(), func(at protopath.Values) error {
		here := at.Index(-1)
		text, _ := here.Value.Interface().(string)
		key := here.Step.Kind() == protopath.MapIndexStep && !utf8.ValidString(here.Step.MapIndex().String())
		if key || !utf8.ValidString(text) {
			path = strings.TrimPrefix(at.Path[1:].String(), ".")
			return protorange.Terminate
		}
		return nil
	})
	return path
}

// bounded gives a context the client's timeout, unless it has a deadline of its own.
func (l *link) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, has := ctx.Deadline(); has || l.timeout == 0 {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, l.timeout)
}

// identified returns a mutation with its request id: its own, the context's or a fresh one. Other requests have none.
func identified(ctx context.Context, request proto.Message) (proto.Message, string) {
	message := request.ProtoReflect()
	fields := message.Descriptor().Fields()
	field := fields.ByName("request_id")
	if field == nil {
		return request, ""
	}
	if id := message.Get(field).String(); id != "" {
		return request, id
	}
	if only := fields.ByName("validate_only"); only != nil && message.Get(only).Bool() {
		return request, ""
	}
	copied, id := shallow(message), requestID(ctx)
	copied.Set(field, protoreflect.ValueOfString(id))
	return copied.Interface(), id
}

// shallow returns a message with the same fields, whose values are shared.
func shallow(message protoreflect.Message) protoreflect.Message {
	copied := message.New()
	message.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		copied.Set(field, value)
		return true
	})
	copied.SetUnknown(message.GetUnknown())
	return copied
}
