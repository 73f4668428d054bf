package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"

	memslot "github.com/memslot/memslot/clients/go"
	memslotv1 "github.com/memslot/memslot/clients/go/memslot/v1"
)

func write(ctx context.Context, client *memslot.Client, given arguments) (result, error) {
	value, err := valueOf(given)
	if err != nil {
		return nil, err
	}
	receipt, err := client.Write(ctx, given.Name, value, details(given)...)
	if err != nil {
		return nil, err
	}
	return result{
		"outcome": outcome(receipt.Outcome), "name": receipt.Name,
		"version": strconv.FormatInt(receipt.Version, 10), "revision": strconv.FormatInt(receipt.Revision, 10),
	}, nil
}

func valueOf(given arguments) (any, error) {
	var text string
	var octets []byte
	switch given.Kind {
	case "text":
		err := json.Unmarshal(given.Value, &text)
		return text, err
	case "bytes":
		err := json.Unmarshal(given.Value, &octets)
		return octets, err
	default: // without the white space that the line happens to have
		var compact bytes.Buffer
		err := json.Compact(&compact, given.Value)
		return json.RawMessage(compact.Bytes()), err
	}
}

func details(given arguments) []memslot.WriteOption {
	var options []memslot.WriteOption
	if given.Description != nil {
		options = append(options, memslot.Description(*given.Description))
	}
	if given.TaskType != nil {
		options = append(options, memslot.TaskType(*given.TaskType))
	}
	if given.Tags != nil {
		options = append(options, memslot.Tags(given.Tags...))
	}
	if given.TTLMS != nil {
		options = append(options, memslot.TTL(time.Duration(*given.TTLMS)*time.Millisecond))
	}
	if given.IfAbsent {
		options = append(options, memslot.IfAbsent())
	}
	if given.IfRevision != nil {
		options = append(options, memslot.IfRevision(int64(*given.IfRevision)))
	}
	return options
}

func read(ctx context.Context, client *memslot.Client, given arguments) (result, error) {
	slot, err := client.Read(ctx, given.Name)
	if err != nil {
		return nil, err
	}
	value, err := slot.Value()
	kind := "json"
	if _, is := value.([]byte); is { // which encoding/json writes as base64
		kind = "bytes"
	} else if strings.HasPrefix(slot.ContentType, "text/") {
		kind = "text"
	}
	return result{
		"kind": kind, "value": value, "content_type": slot.ContentType, "revision": strconv.FormatInt(slot.Revision, 10),
	}, err
}

func appendText(ctx context.Context, client *memslot.Client, given arguments) (result, error) {
	receipt, err := client.Append(ctx, given.Name, given.Text)
	return receiptOf(receipt, err)
}

func patch(ctx context.Context, client *memslot.Client, given arguments) (result, error) {
	receipt, err := client.Patch(ctx, given.Name, given.Patch)
	return receiptOf(receipt, err)
}

func forget(ctx context.Context, client *memslot.Client, given arguments) (result, error) {
	receipt, err := client.Forget(ctx, given.Name)
	return receiptOf(receipt, err)
}

func receiptOf(receipt *memslot.Receipt, err error) (result, error) {
	if err != nil {
		return nil, err
	}
	return result{"outcome": outcome(receipt.Outcome)}, nil
}

func update(ctx context.Context, client *memslot.Client, given arguments) (result, error) {
	stored, _, err := memslot.Update(ctx, client, given.Name, func(items []json.RawMessage) ([]json.RawMessage, error) {
		for _, other := range given.Also {
			if _, err := write(ctx, client, other); err != nil {
				return nil, err
			}
		}
		return append(items, given.Append), nil
	}, memslot.OrCreate(), memslot.Attempts(100))
	return result{"value": stored}, err
}

func names(ctx context.Context, client *memslot.Client, given arguments) (result, error) {
	order := memslotv1.LookupOrder_value["LOOKUP_ORDER_"+given.Order]
	found := []string{}
	for entry, err := range client.Lookup(ctx, given.Prefix, memslot.PageSize(given.PageSize), memslot.OrderBy(memslot.Order(order))) {
		if err != nil {
			return nil, err
		}
		found = append(found, entry.Name)
	}
	return result{"names": found}, nil
}

func search(ctx context.Context, client *memslot.Client, given arguments) (result, error) {
	searched, err := client.Search(ctx, given.Text, memslot.Limit(given.Limit))
	if err != nil {
		return nil, err
	}
	found := []string{}
	for _, hit := range searched.Hits {
		found = append(found, hit.Name)
	}
	return result{"names": found}, nil
}

func commit(ctx context.Context, client *memslot.Client, given arguments) (result, error) {
	batch := new(memslot.Batch)
	for _, one := range given.Writes {
		batch.Write(one.name, one.text)
	}
	for _, name := range given.Forgets {
		batch.Forget(name)
	}
	committed, err := client.Commit(ctx, batch)
	if err != nil {
		return nil, err
	}
	outcomes := []string{}
	for _, receipt := range committed.Receipts {
		outcomes = append(outcomes, outcome(receipt.Outcome))
	}
	return result{"outcomes": outcomes}, nil
}

var errFailed = errors.New("the body of the task fails")

func task(ctx context.Context, client *memslot.Client, given arguments) (result, error) {
	path := ""
	err := client.RunTask(ctx, given.TaskID, func(ctx context.Context, task *memslot.Task) error {
		path = task.Memory.NamespacePath()
		for _, one := range given.Writes {
			if _, err := task.Memory.Write(ctx, one.name, one.text); err != nil {
				return err
			}
		}
		task.Promote(given.Promote...)
		if given.Fail {
			return errFailed
		}
		return nil
	}, memslot.AttemptNumber(given.Attempt))
	if errors.Is(err, errFailed) {
		err = nil
	}
	return result{"namespace": path}, err
}
