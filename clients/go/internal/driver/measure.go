package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	memslot "github.com/memslot/memslot/clients/go"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

const warmUp = 10

// measured is how long calls took, and how many a second there were.
type measured struct {
	P50MS     float64 `json:"p50_ms"`
	PerSecond float64 `json:"per_second"`
}

// measure calls a method so many times, so many at once, after a tenth of them to warm up.
func measure(client *memslot.Client, asked request) (measured, error) {
	input, output, err := messages(asked.Method)
	if err != nil {
		return measured{}, err
	}
	if err := protojson.Unmarshal(asked.Request, input); err != nil {
		return measured{}, fmt.Errorf("the request is no %s", input.ProtoReflect().Descriptor().FullName())
	}
	callers := max(1, min(asked.Concurrency, asked.Calls))
	run := func(calls int) ([]time.Duration, time.Duration, error) {
		return load(callers, max(1, calls/callers), func() error {
			return client.Invoke(context.Background(), "/"+asked.Method, input, proto.Clone(output))
		})
	}
	if _, _, err := run(asked.Calls / warmUp); err != nil {
		return measured{}, err
	}
	taken, whole, err := run(asked.Calls)
	if err != nil {
		return measured{}, err
	}
	slices.Sort(taken)
	return measured{
		P50MS:     float64(taken[len(taken)/2].Nanoseconds()) / 1e6,
		PerSecond: float64(len(taken)) / whole.Seconds(),
	}, nil
}

// load lets callers call at once, each so many times, and returns how long each call and the whole took.
func load(callers, each int, call func() error) ([]time.Duration, time.Duration, error) {
	taken, failed := make([][]time.Duration, callers), make([]error, callers)
	var working sync.WaitGroup
	begin := time.Now()
	for caller := range callers {
		working.Go(func() {
			for range each {
				start := time.Now()
				if err := call(); err != nil {
					failed[caller] = err
					return
				}
				taken[caller] = append(taken[caller], time.Since(start))
			}
		})
	}
	working.Wait()
	return slices.Concat(taken...), time.Since(begin), errors.Join(failed...)
}
