package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	memslot "github.com/memslot/memslot/clients/go"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

// call calls a unary method by its name, with messages that its descriptor names.
func call(ctx context.Context, client *memslot.Client, asked request) (json.RawMessage, error) {
	input, output, err := messages(asked.Method)
	if err != nil {
		return nil, err
	}
	if err := protojson.Unmarshal(asked.Request, input); err != nil {
		return nil, fmt.Errorf("the request is no %s", input.ProtoReflect().Descriptor().FullName())
	}
	if err := client.Invoke(ctx, "/"+asked.Method, input, output); err != nil {
		return nil, err
	}
	return protojson.Marshal(output)
}

// messages are new ones of a method's types, such as memslot.v1.SlotService/Write.
func messages(method string) (input, output proto.Message, err error) {
	name := protoreflect.FullName(strings.ReplaceAll(method, "/", "."))
	found, err := protoregistry.GlobalFiles.FindDescriptorByName(name)
	if err != nil {
		return nil, nil, fmt.Errorf("there is no method %q", method)
	}
	described, ok := found.(protoreflect.MethodDescriptor)
	if !ok {
		return nil, nil, fmt.Errorf("%q is no method", method)
	}
	if input, err = messageOf(described.Input()); err != nil {
		return nil, nil, err
	}
	output, err = messageOf(described.Output())
	return input, output, err
}

func messageOf(described protoreflect.MessageDescriptor) (proto.Message, error) {
	kind, err := protoregistry.GlobalTypes.FindMessageByName(described.FullName())
	if err != nil {
		return nil, err
	}
	return kind.New().Interface(), nil
}
