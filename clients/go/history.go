package memslot

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	memslotv1 "github.com/memslot/memslot/clients/go/memslot/v1"
)

// History returns what belongs into the message history: the output that was acted on, without the values that it stored, and the
// answers to it. Each message is JSON.
//
// A text becomes a message of the assistant, with what the model is told in one of the user behind it. A provider's message, or a
// list of them, stays as it is but for the `value` of each action that was done; the answers are the tool messages, for Anthropic
// together in one message. What was refused keeps its value, for the model to mend. Another output than the one that was acted on is
// an error.
func (a *Acted) History(output any) ([]json.RawMessage, error) {
	said, err := spoken(output)
	if err != nil {
		return nil, err
	}
	if utf8.RuneCount(said) != a.characters {
		return nil, errOtherOutput
	}
	if text, ok := output.(string); ok {
		return append([]json.RawMessage{chatMessage("assistant", shortened(text, a.stored(), short))}, a.answers()...), nil
	}
	messages, err := a.withoutValues(said)
	return append(messages, a.answers()...), err
}

var errOtherOutput = errors.New("memslot: this is not the output that was acted on")

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

// stored are the actions that stored a value.
func (a *Acted) stored() []Action {
	return slices.DeleteFunc(slices.Clone(a.Actions), func(action Action) bool {
		return action.Receipt == nil || action.Outcome != ActionDone || action.Action == "mem_forget"
	})
}

// withoutValues are a provider's messages without the values that they stored.
func (a *Acted) withoutValues(said json.RawMessage) (messages []json.RawMessage, err error) {
	stored := a.stored()
	if len(stored) > 0 {
		said = json.RawMessage(shortened(string(said), stored, shortInJSON))
	}
	if bytes.HasPrefix(bytes.TrimLeft(said, " \t\r\n"), []byte("[")) {
		err = json.Unmarshal(said, &messages)
	} else if slices.ContainsFunc(stored, func(action Action) bool { return action.CallID == "" }) {
		said, err = a.withUserText(said)
	}
	if err != nil {
		return nil, errOtherOutput
	}
	if messages == nil {
		messages = []json.RawMessage{said}
	}
	return messages, nil
}

// withUserText puts what is left for the user where a message's content is one text.
func (a *Acted) withUserText(said json.RawMessage) (json.RawMessage, error) {
	var message map[string]json.RawMessage
	if err := json.Unmarshal(said, &message); err != nil {
		return nil, err
	}
	var text string
	if json.Unmarshal(message["content"], &text) != nil || text == "" {
		return said, nil
	}
	content, err := encodeJSON(a.UserText())
	message["content"] = content
	if err != nil {
		return nil, err
	}
	return encodeJSON(message)
}

// shortened is a text with each stored action as short puts it, which is given the action and how it stands there.
func shortened(text string, stored []Action, short func(action *Action, whole string) string) string {
	chars := []rune(text)
	slices.SortFunc(stored, func(a, b Action) int { return cmp.Compare(b.Start, a.Start) })
	for _, action := range stored {
		if action.Start <= action.End && action.End <= int64(len(chars)) {
			put := short(&action, string(chars[action.Start:action.End]))
			chars = slices.Replace(chars, int(action.Start), int(action.End), []rune(put)...)
		}
	}
	return string(chars)
}

// short is an action in its shortest form, without its value.
func short(action *Action, _ string) string {
	rest, err := withoutValue(action.Arguments())
	if err != nil {
		return ""
	}
	return `{"action":"` + action.Action + `",` + strings.TrimPrefix(string(rest), "{")
}

// shortInJSON is an action within the JSON of a message: a call of its own, or a part of one of the message's texts.
func shortInJSON(action *Action, whole string) string {
	var call map[string]any
	rest, err := withoutValue(action.Arguments())
	if err != nil {
		return ""
	}
	if decodeNumbers([]byte(whole), &call) != nil || call == nil {
		quoted, _ := encodeJSON(short(action, whole)) // a text cannot fail
		return string(quoted[1 : len(quoted)-1])
	}
	shortenCall(call, rest)
	left, _ := encodeJSON(call) // nor what was JSON
	return string(left)
}

// shortenCall puts the arguments that were understood, without the value, where providers keep them: as the model wrote them they may
// be no JSON.
func shortenCall(call map[string]any, rest json.RawMessage) {
	if function, ok := call["function"].(map[string]any); ok {
		shortenCall(function, rest)
	}
	for _, name := range []string{"arguments", "input", "args"} {
		switch call[name].(type) {
		case nil:
		case string:
			call[name] = string(rest)
		default:
			call[name] = rest
		}
	}
}

// withoutValue are arguments as short as they can be, in their order.
func withoutValue(arguments []byte) (json.RawMessage, error) {
	decoder := json.NewDecoder(bytes.NewReader(arguments))
	decoder.UseNumber()
	return respelt(decoder, "value")
}

// respelt is the next value of a decoder without spaces and without some members; a map would lose the order of the others.
func respelt(decoder *json.Decoder, leaving ...string) ([]byte, error) {
	token, err := decoder.Token()
	if err != nil {
		return nil, err
	}
	opening, nested := token.(json.Delim)
	if !nested {
		return encodeJSON(token)
	}
	var items [][]byte
	for decoder.More() {
		name, item, err := respeltItem(decoder, opening == '{')
		if err != nil {
			return nil, err
		}
		if !slices.Contains(leaving, name) {
			items = append(items, item)
		}
	}
	closing, err := decoder.Token()
	return fmt.Appendf(nil, "%v%s%v", opening, bytes.Join(items, []byte(",")), closing), err
}

// respeltItem is an item of an array, or a member of an object with its name.
func respeltItem(decoder *json.Decoder, named bool) (string, []byte, error) {
	if !named {
		item, err := respelt(decoder)
		return "", item, err
	}
	name, err := decoder.Token()
	if err != nil {
		return "", nil, err
	}
	spelt, _ := encodeJSON(name) // a text cannot fail
	value, err := respelt(decoder)
	return fmt.Sprint(name), slices.Concat(spelt, []byte(":"), value), err
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
