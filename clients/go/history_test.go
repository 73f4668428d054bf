package memslot_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	memslot "github.com/memslot/memslot/clients/go"
)

// Wherever a provider's message holds an action, and however its arguments were mended, the history keeps no value of it.
func TestHistoryOfEveryForm(t *testing.T) {
	memory := connected(t)
	plain := `{"slot":"n","value":{"deep":"secret"}}`
	quoted := func(text string) string { return string(encoded(t, text)) }
	openai := func(given string) string {
		return `{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"mem_write","arguments":` + given + `}}]}`
	}
	kept := openai(quoted(`{"slot":"n"}`))
	text := `Noted 😀 {"action": "mem_write", "slot": "n", "value": "sec\"ret"} "so"`
	for said, want := range map[string]string{
		openai(quoted(`{"slot": "n", "value": "secret",}`)): kept,
		openai(quoted(`{'slot': 'n', 'value': 'secret'}`)):  kept,
		openai(quoted(quoted(plain))):                       kept,
		`{"role":"assistant","content":[{"type":"text","text":` + quoted(text) + `}]}`: `{"role":"assistant","content":[{"type":"text","text":` +
			quoted(`Noted 😀 {"action":"mem_write","slot":"n"} "so"`) + `}]}`,
		`{"role":"assistant","content":` + quoted(text) + `}`:                                                      `{"role":"assistant","content":` + quoted(`Noted 😀  "so"`) + `}`,
		`{"role":"assistant","function_call":{"name":"mem_write","arguments":` + quoted(plain) + `}}`:              `{"role":"assistant","function_call":{"name":"mem_write","arguments":` + quoted(`{"slot":"n"}`) + `}}`,
		`{"role":"model","parts":[{"functionCall":{"name":"mem_write","args":` + plain + `}}]}`:                    `{"role":"model","parts":[{"functionCall":{"name":"mem_write","args":{"slot":"n"}}}]}`,
		`{"output":[{"type":"function_call","call_id":"c","name":"mem_write","arguments":` + quoted(plain) + `}]}`: `{"output":[{"type":"function_call","call_id":"c","name":"mem_write","arguments":` + quoted(`{"slot":"n"}`) + `}]}`,
		`[{"role":"user","content":"go on"},` + openai(quoted(plain)) + `]`:                                        `{"role":"user","content":"go on"}`,
	} {
		acted, err := memory.Act(ctx, json.RawMessage(said), memslot.Lenient())
		must(t, err)
		equal(t, len(acted.Actions), 1)
		equal(t, acted.Actions[0].Outcome, memslot.ActionDone)
		messages, err := acted.History(json.RawMessage(said))
		must(t, err)
		var got, wanted any
		must(t, json.Unmarshal(messages[0], &got))
		must(t, json.Unmarshal([]byte(want), &wanted))
		if !reflect.DeepEqual(got, wanted) {
			t.Errorf("%s\nbecame %s\nnot %s", said, messages[0], want)
		}
		for _, message := range messages {
			if strings.Contains(string(message), "secret") {
				t.Errorf("a value is in %s", message)
			}
		}
		if _, err := acted.History(json.RawMessage(said + " ")); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("another output: got %v", err)
		}
	}
}

// Numbers of any size survive in messages that are scrubbed.
func TestScrubKeepsEveryDigit(t *testing.T) {
	left, err := memslot.ScrubMessages(ctx, connected(t), []map[string]any{{"role": "user", "content": "x", "id": json.Number("9007199254740993")}})
	must(t, err)
	equal(t, string(encoded(t, left[0]["id"])), "9007199254740993")
}

func encoded(t testing.TB, value any) []byte {
	t.Helper()
	text, err := json.Marshal(value)
	must(t, err)
	return text
}
