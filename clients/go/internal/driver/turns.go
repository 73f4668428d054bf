package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	memslot "github.com/memslot/memslot/clients/go"
)

// output is a text, or a provider's message as JSON; nothing is an empty text.
func (a arguments) output() any {
	var text string
	if len(a.Output) == 0 || json.Unmarshal(a.Output, &text) == nil {
		return text
	}
	return a.Output
}

// prompt is a text, or messages as JSON.
func (a arguments) prompt() any {
	if a.Prompt != nil {
		return *a.Prompt
	}
	return a.Messages
}

func record(ctx context.Context, client *memslot.Client, given arguments) (result, error) {
	options := []memslot.RecordOption{memslot.CountedBy("chars")}
	if len(given.Usage) > 0 {
		options = append(options, memslot.Used(given.Usage))
	}
	account, err := client.RecordTurn(memslot.ContextWithTurn(ctx, given.Turn), given.prompt(), given.output(), options...)
	if err != nil {
		return nil, err
	}
	usage := account.GetUsage()
	if usage == nil {
		usage = &memslot.Usage{}
	}
	return result{
		"turn": account.GetTurn(), "conversation": account.GetConversation(), "prompt": account.GetPrompt().GetCharacters(),
		"output": account.GetOutput().GetCharacters(), "leaked": account.GetLeaked().GetCharacters(), "slots": account.GetSlots(),
		"bytes": account.GetBodyBytesOutside(), "usage": []*int64{usage.PromptTokens, usage.CachedTokens, usage.CompletionTokens},
	}, nil
}

func report(ctx context.Context, client *memslot.Client, given arguments) (result, error) {
	told, err := client.TokenReport(ctx, memslot.OfConversation(given.Conversation))
	if err != nil {
		return nil, err
	}
	turns, problems := []string{}, []result{}
	for _, account := range told.GetTurns() {
		turns = append(turns, account.GetTurn())
	}
	for _, one := range told.GetProblems() {
		problems = append(problems, result{"cause": bare(one.GetCause(), "MISSING_SAVING_"), "turns": one.GetTurns()})
	}
	return result{
		"turns": turns, "verdict": bare(told.GetVerdict(), "VERDICT_"), "problems": problems,
		"saved": told.GetSaved().GetCharacters(),
	}, nil
}

func inspect(ctx context.Context, client *memslot.Client, given arguments) (result, error) {
	inspection, err := client.InspectPrompt(memslot.ContextWithTurn(ctx, given.Turn), given.prompt())
	if err != nil {
		return nil, err
	}
	findings, leaked := []result{}, []string{}
	for _, one := range inspection.Findings {
		findings = append(findings, result{
			"name": one.GetName(), "message_index": one.GetMessageIndex(), "field": one.GetField(), "start": one.GetSpan().GetStart(),
			"end": one.GetSpan().GetEnd(), "whole": one.GetWhole(), "allowed": one.GetInjectionId() != "",
		})
	}
	for _, one := range inspection.Leaked() {
		leaked = append(leaked, one.GetName())
	}
	return result{"findings": findings, "leaked": leaked, "leaked_characters": inspection.LeakedCharacters}, nil
}

func diagnose(ctx context.Context, client *memslot.Client, given arguments) (result, error) {
	options := []memslot.DiagnoseOption{
		memslot.AboutSlot(given.Slot), memslot.UserWasTold(given.Answer), memslot.ModelWrote(given.output()),
	}
	if given.Prompt != nil {
		options = append(options, memslot.NextPrompt(*given.Prompt))
	}
	told, err := client.Diagnose(ctx, given.Turn, options...)
	if err != nil {
		return nil, err
	}
	steps, reasons, broken := []result{}, []string{}, ""
	for _, one := range told.GetSteps() {
		steps = append(steps, result{"step": bare(one.GetStep(), "TURN_STEP_"), "verdict": bare(one.GetVerdict(), "STEP_VERDICT_")})
		for _, found := range one.GetFindings() {
			reasons = append(reasons, found.GetReason())
		}
	}
	if told.GetFirstBroken() != memslot.StepUnspecified {
		broken = bare(told.GetFirstBroken(), "TURN_STEP_")
	}
	slices.Sort(reasons)
	return result{"turn": told.GetTurn(), "first_broken": broken, "steps": steps, "reasons": slices.Compact(reasons)}, nil
}

// bare is a member's name without what all of its kind begin with.
func bare(of fmt.Stringer, prefix string) string { return strings.TrimPrefix(of.String(), prefix) }
