package memslot

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	memslotv1 "github.com/memslot/memslot/clients/go/memslot/v1"
)

// History returns what belongs into the message history: the output that was acted on, without the values that it stored, and the
// answers to it. Each message is JSON.
//
// A text becomes a message of the assistant, with what the model is told in one of the user behind it. A provider's message
// (OpenAI's chat completions, Anthropic's) stays as it is but for the `value` of each action that was done, with its call ids; the
// answers are the tool messages, for Anthropic together in one message. What was refused keeps its value, for the model to mend.
func (a *Acted) History(output any) ([]json.RawMessage, error) {
	said, err := a.withoutValues(output)
	if err != nil {
		return nil, err
	}
	return append([]json.RawMessage{said}, a.answers()...), nil
}

func (a *Acted) answers() []json.RawMessage {
	var messages, blocks []json.RawMessage
	for _, answer := range a.ToolMessages {
		told := json.RawMessage(answer.GetMessageJson())
		if answer.GetForm() == memslotv1.ToolForm_TOOL_FORM_ANTHROPIC {
			blocks = append(blocks, told)
		} else {
			messages = append(messages, told)
		}
	}
	switch {
	case len(blocks) > 0:
		messages = append(messages, chatMessage("user", blocks))
	case len(messages) == 0 && a.ModelText != "":
		messages = append(messages, chatMessage("user", a.ModelText))
	}
	return messages
}

func (a *Acted) withoutValues(output any) (json.RawMessage, error) {
	var stored []Action
	for _, action := range a.Actions {
		if action.Receipt != nil && action.Outcome == ActionDone && action.Action != "mem_forget" {
			stored = append(stored, action)
		}
	}
	if text, ok := output.(string); ok {
		return chatMessage("assistant", shortened(text, stored)), nil
	}
	said, err := spoken(output)
	if err != nil || len(stored) == 0 {
		return said, err
	}
	var message map[string]any
	if err := decodeNumbers(said, &message); err != nil {
		return nil, fmt.Errorf("memslot: the output is no provider's message: a %T that is no JSON object", output)
	}
	a.shorten(message, stored)
	return encodeJSON(message)
}

// shorten takes the stored values out of a provider's message.
func (a *Acted) shorten(message map[string]any, stored []Action) {
	ids, plain := map[any]bool{}, false
	for _, action := range stored {
		if action.CallID == "" {
			plain = true
		} else {
			ids[action.CallID] = true
		}
	}
	calls, _ := message["tool_calls"].([]any)
	for _, call := range calls {
		if call, ok := call.(map[string]any); ok && ids[call["id"]] {
			shortenCall(call)
		}
	}
	switch content := message["content"].(type) {
	case []any:
		for _, block := range content {
			if block, ok := block.(map[string]any); ok && ids[block["id"]] {
				if input, ok := block["input"].(map[string]any); ok {
					delete(input, "value")
				}
			}
		}
	case string:
		if plain {
			message["content"] = a.UserText()
		}
	}
}

// shortenCall takes the value out of the arguments of OpenAI's form, which are JSON in a text.
func shortenCall(call map[string]any) {
	function, _ := call["function"].(map[string]any)
	arguments, _ := function["arguments"].(string)
	if rest, err := withoutValue([]byte(arguments)); err == nil {
		function["arguments"] = string(rest)
	}
}

// shortened is a text with each stored action in its shortest form, without the value.
func shortened(text string, stored []Action) string {
	chars := []rune(text)
	slices.SortFunc(stored, func(a, b Action) int { return int(b.Start - a.Start) })
	for _, action := range stored {
		rest, err := withoutValue(action.Arguments())
		if err != nil || action.End > int64(len(chars)) {
			continue
		}
		short := append([]byte(`{"action":"`+action.Action+`",`), bytes.TrimPrefix(rest, []byte("{"))...)
		chars = slices.Replace(chars, int(action.Start), int(action.End), []rune(string(short))...)
	}
	return string(chars)
}

func withoutValue(arguments []byte) ([]byte, error) {
	var fields map[string]any
	if err := decodeNumbers(arguments, &fields); err != nil {
		return nil, err
	}
	delete(fields, "value")
	return encodeJSON(fields)
}

func decodeNumbers(text []byte, target any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	return decoder.Decode(target)
}

func chatMessage(role string, content any) json.RawMessage {
	message, _ := encodeJSON(map[string]any{"role": role, "content": content}) // texts and JSON cannot fail
	return message
}
