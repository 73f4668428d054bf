package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	memslot "github.com/memslot/memslot/clients/go"
	"google.golang.org/genproto/googleapis/rpc/code"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
)

// failure is an error as the drivers tell it.
type failure struct {
	Code     string            `json:"code"`
	Reason   string            `json:"reason"`
	Own      string            `json:"own_reason"`
	Metadata map[string]string `json:"metadata"`
	Field    string            `json:"field"`
	Details  []json.RawMessage `json:"details"`
	Type     string            `json:"type"`
	Text     string            `json:"text"`
}

func failureOf(err error) failure {
	said := failure{
		Code: "INVALID_ARGUMENT", Type: fmt.Sprintf("%T", err), Text: printed(err),
		Metadata: map[string]string{}, Details: []json.RawMessage{},
	}
	var failed *memslot.Error
	if !errors.As(err, &failed) {
		return said
	}
	said.Code, said.Field, said.Type = code.Code_name[int32(failed.Code)], failed.Field, sentinel(failed)
	if failed.FromServer() {
		said.Reason = string(failed.Reason)
	} else {
		said.Own = string(failed.Reason)
	}
	for key, value := range failed.Metadata {
		said.Metadata[key] = value
	}
	for _, detail := range status.Convert(failed).Proto().GetDetails() {
		if told, err := protojson.Marshal(detail); err == nil {
			said.Details = append(said.Details, told)
		}
	}
	return said
}

// sentinel is the name of what errors.Is compares with, such as ErrSlotNotFound.
func sentinel(failed *memslot.Error) string {
	if failed.Reason == "" {
		return "Error"
	}
	name := "Err"
	for word := range strings.SplitSeq(strings.ToLower(string(failed.Reason)), "_") {
		name += strings.ToUpper(word[:1]) + word[1:]
	}
	return name
}

// printed is everything that printing and logging the error and its causes would show.
func printed(err error) string {
	var text strings.Builder
	log := slog.New(slog.NewJSONHandler(&text, nil))
	for ; err != nil; err = errors.Unwrap(err) {
		fmt.Fprintf(&text, "%v\n%+v\n%#v\n%q\n", err, err, err, err)
		log.Error("failed", "error", err)
	}
	return text.String()
}
