package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	memslot "github.com/memslot/memslot/clients/go"
)

// result is what a verb answers with.
type result map[string]any

// verb does something by the idiomatic client's own methods.
type verb func(context.Context, *memslot.Client, arguments) (result, error)

var verbs = map[string]verb{
	"write": write, "read": read, "append": appendText, "patch": patch, "forget": forget, "update": update,
	"names": names, "search": search, "act": act, "history": history, "inject": inject, "scrub": scrub, "task": task,
	"namespace": namespace, "split": split, "commit": commit,
	"record": record, "report": report, "inspect": inspect, "diagnose": diagnose,
}

// arguments are those of all verbs.
type arguments struct {
	Name         string          `json:"name"`
	Kind         string          `json:"kind"`
	Value        json.RawMessage `json:"value"`
	Description  *string         `json:"description"`
	Tags         []string        `json:"tags"`
	TaskType     *string         `json:"task_type"`
	TTLMS        *number         `json:"ttl_ms"`
	IfAbsent     bool            `json:"if_absent"`
	IfRevision   *number         `json:"if_revision"`
	Text         string          `json:"text"`
	Patch        json.RawMessage `json:"patch"`
	Append       json.RawMessage `json:"append"`
	Also         []arguments     `json:"also"`
	Prefix       string          `json:"prefix"`
	PageSize     int32           `json:"page_size"`
	Order        string          `json:"order"`
	Limit        int             `json:"limit"`
	Output       json.RawMessage `json:"output"`
	Said         json.RawMessage `json:"said"`
	Turn         string          `json:"turn"`
	Prompt       *string         `json:"prompt"`
	Messages     json.RawMessage `json:"messages"`
	Usage        json.RawMessage `json:"usage"`
	Conversation string          `json:"conversation"`
	Slot         string          `json:"slot"`
	Answer       string          `json:"answer"`
	Lenient      bool            `json:"lenient"`
	Names        []string        `json:"names"`
	TaskID       string          `json:"task_id"`
	Attempt      int64           `json:"attempt"`
	Writes       fields          `json:"writes"`
	Forgets      []string        `json:"forgets"`
	Promote      []string        `json:"promote"`
	Fail         bool            `json:"fail"`
	Parts        []string        `json:"parts"`
	Namespace    string          `json:"namespace"`
}

func do(ctx context.Context, client *memslot.Client, asked request) (result, error) {
	does, ok := verbs[asked.Verb]
	if !ok {
		return nil, fmt.Errorf("there is no verb %q", asked.Verb)
	}
	var given arguments
	if len(asked.Arguments) > 0 {
		if err := json.Unmarshal(asked.Arguments, &given); err != nil {
			return nil, fmt.Errorf("%s has other arguments", asked.Verb)
		}
	}
	return does(ctx, client, given)
}

// outcome is an outcome's name without what all of its kind begin with.
func outcome(of fmt.Stringer) string {
	name := strings.TrimPrefix(of.String(), "ACTION_")
	return strings.TrimPrefix(name, "OUTCOME_")
}
