package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	memslot "github.com/memslot/memslot/clients/go"
)

// clients are those that were opened, by name.
type clients struct {
	lock   sync.Mutex
	opened map[string]*memslot.Client
}

func newClients() *clients { return &clients{opened: map[string]*memslot.Client{}} }

// answer does what one line asks for.
func (c *clients) answer(asked request) answer {
	said, err := c.done(asked)
	if err != nil {
		return answer{"error": failureOf(err)}
	}
	return said
}

func (c *clients) done(asked request) (answer, error) {
	switch asked.Op {
	case "open":
		return answer{"ok": true}, c.open(asked)
	case "close":
		return answer{"ok": true}, c.close(asked)
	}
	client, err := c.named(asked.Client)
	if err != nil {
		return nil, err
	}
	ctx := context.Background()
	if asked.TimeoutMS > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(asked.TimeoutMS)*time.Millisecond)
		defer cancel()
	}
	switch asked.Op {
	case "call":
		reply, err := call(ctx, client, asked)
		return answer{"reply": reply}, err
	case "do":
		result, err := do(ctx, client, asked)
		return answer{"result": result}, err
	case "measure":
		result, err := measure(client, asked)
		return answer{"result": result}, err
	default:
		return nil, fmt.Errorf("there is no operation %q", asked.Op)
	}
}

func (c *clients) open(asked request) error {
	options := []memslot.Option{
		memslot.WithNamespace(asked.Namespace), memslot.WithAgent(asked.Agent), memslot.WithConversation(asked.Conversation),
	}
	if asked.TimeoutMS > 0 {
		options = append(options, memslot.WithTimeout(time.Duration(asked.TimeoutMS)*time.Millisecond))
	}
	if asked.Token != "" {
		options = append(options, memslot.WithToken(asked.Token))
	}
	if asked.CAFile != "" {
		options = append(options, memslot.WithCAFile(asked.CAFile))
	}
	client, err := memslot.Connect(asked.Target, options...)
	if err != nil {
		return err
	}
	c.lock.Lock()
	defer c.lock.Unlock()
	c.opened[asked.Client] = client
	return nil
}

func (c *clients) close(asked request) error {
	client, err := c.named(asked.Client)
	if err != nil {
		return err
	}
	if !asked.Keep {
		c.lock.Lock()
		defer c.lock.Unlock()
		delete(c.opened, asked.Client)
	}
	return client.Close()
}

func (c *clients) named(name string) (*memslot.Client, error) {
	c.lock.Lock()
	defer c.lock.Unlock()
	client, ok := c.opened[name]
	if !ok {
		return nil, fmt.Errorf("no client %q is open", name)
	}
	return client, nil
}
