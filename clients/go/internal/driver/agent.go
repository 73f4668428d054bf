package main

import (
	"context"

	memslot "github.com/memslot/memslot/clients/go"
)

func act(ctx context.Context, client *memslot.Client, given arguments) (result, error) {
	output := given.output()
	ctx = memslot.ContextWithTurn(ctx, given.Turn)
	var options []memslot.ActOption
	if given.Lenient {
		options = append(options, memslot.Lenient())
	}
	acted, err := client.Act(ctx, output, options...)
	if err != nil {
		return nil, err
	}
	actions := []result{}
	for _, action := range acted.Actions {
		actions = append(actions, result{"action": action.Action, "outcome": outcome(action.Outcome), "slot": action.Slot})
	}
	return result{"actions": actions, "model_text": acted.ModelText, "user_text": acted.UserText()}, nil
}

// history is what the history keeps of an output, or of what is said to be that output.
func history(ctx context.Context, client *memslot.Client, given arguments) (result, error) {
	var options []memslot.ActOption
	if given.Lenient {
		options = append(options, memslot.Lenient())
	}
	acted, err := client.Act(ctx, given.output(), options...)
	if err != nil {
		return nil, err
	}
	said := given.output()
	if len(given.Said) > 0 {
		said = arguments{Output: given.Said}.output()
	}
	messages, err := acted.History(said)
	return result{"messages": messages}, err
}

func inject(ctx context.Context, client *memslot.Client, given arguments) (result, error) {
	injection, err := client.Inject(memslot.ContextWithTurn(ctx, given.Turn), given.Names)
	if err != nil {
		return nil, err
	}
	return result{"text": injection.Text()}, nil
}

func scrub(ctx context.Context, client *memslot.Client, given arguments) (result, error) {
	text, err := client.Scrub(ctx, given.Text)
	return result{"text": text}, err
}

func namespace(_ context.Context, _ *memslot.Client, given arguments) (result, error) {
	path, err := memslot.JoinNamespace(given.Parts...)
	return result{"namespace": path}, err
}

func split(_ context.Context, _ *memslot.Client, given arguments) (result, error) {
	return result{"parts": memslot.SplitNamespace(given.Namespace)}, nil
}
