package memslot_test

import (
	"encoding/json"
	"strings"
	"testing"

	memslot "github.com/memslot/memslot/clients/go"
)

// Actions in a text are executed in order, what is read comes with its body, and a failure is told beside the others.
func TestAct(t *testing.T) {
	memory := connected(t)
	acted, err := memory.Act(memslot.ContextWithTurn(ctx, "1"), `Sure. {"action":"mem_write","slot":"city","value":"Łódź"}
{"action":"mem_read","slot":"city"} {"action":"mem_read","slot":"nothing"} {"action":"mem_lookup","name_prefix":"c"}`, memslot.ReceiptsIn(memslot.English))
	must(t, err)
	equal(t, len(acted.Actions), 4)
	equal(t, acted.Actions[0].Receipt.Outcome, memslot.OutcomeCreated)
	equal(t, string(acted.Actions[1].Read.Bytes()), "Łódź")
	equal(t, acted.Actions[2].Outcome, memslot.ActionNotFound)
	refusal(t, acted.Actions[2].Err, memslot.ErrSlotNotFound)
	equal(t, strings.Join(acted.Actions[3].Found, " "), "city")
	equal(t, acted.Actions[3].Slot, "")
	equal(t, strings.Contains(acted.ModelText, "Łódź"), false)
	equal(t, strings.TrimSpace(acted.UserText()), "Sure.")
	nothing, err := memory.Act(ctx, "Just talk.")
	must(t, err)
	equal(t, acted.Any(), true)
	equal(t, nothing.Any(), false)
}

// Only validating changes nothing; lenient reading takes what has one reading once it is mended.
func TestActValidatesAndMends(t *testing.T) {
	memory := connected(t)
	broken := "{'action': 'mem_write', 'slot': 'a', 'value': 'x'}"
	acted, err := memory.Act(ctx, broken, memslot.Lenient(), memslot.ValidateOnly())
	must(t, err)
	equal(t, acted.Actions[0].Outcome, memslot.ActionValid)
	_, err = memory.Read(ctx, "a")
	refusal(t, err, memslot.ErrSlotNotFound)
	acted, err = memory.Act(ctx, broken, memslot.Lenient())
	must(t, err)
	equal(t, acted.Actions[0].Outcome, memslot.ActionDone)
	equal(t, len(acted.Actions[0].Repaired) > 0, true)
}

// What belongs into the history holds no value that was stored, in each form of message, and answers every call.
func TestHistory(t *testing.T) {
	memory := connected(t)
	call := `{"action":"mem_write","slot":"s","value":"` + secret + `","tags":["é"]}`
	arguments, _ := json.Marshal(`{"slot":"s","value":"` + secret + `"}`)
	for _, one := range []struct {
		output any
		want   []string
	}{
		{"Saved 😀. " + call + " Done.", []string{
			`{"content":"Saved 😀. {\"action\":\"mem_write\",\"slot\":\"s\",\"tags\":[\"é\"]} Done.","role":"assistant"}`, `"role":"user"`,
		}},
		{json.RawMessage(`{"role":"assistant","content":"ok","tool_calls":[{"id":"c1","type":"function","function":{"name":"mem_write","arguments":` + string(arguments) + `}}]}`), []string{
			`{\"slot\":\"s\"}`, `"tool_call_id"`,
		}},
		{map[string]any{"role": "assistant", "content": []any{
			map[string]any{"type": "text", "text": "ok"},
			map[string]any{"type": "tool_use", "id": "t1", "name": "mem_write", "input": map[string]any{"slot": "s", "value": secret}},
		}}, []string{`"input":{"slot":"s"}`, `"tool_use_id"`}},
	} {
		acted, err := memory.Act(ctx, one.output)
		must(t, err)
		messages, err := acted.History(one.output)
		must(t, err)
		equal(t, len(messages), 2)
		for at, message := range messages {
			if !strings.Contains(string(message), one.want[at]) || strings.Contains(string(message), secret) {
				t.Errorf("got %s, want %s", message, one.want[at])
			}
		}
	}
}

// What was injected is taken out of texts and of messages of any type.
func TestInjectAndScrub(t *testing.T) {
	memory := connected(t)
	_, err := memory.Write(ctx, "plan", secret, memslot.From(memslot.OriginUser))
	must(t, err)
	injection, err := memory.Inject(ctx, []string{"plan", "nothing"}, memslot.MaxChars(5000), memslot.RefuseUntrusted())
	must(t, err)
	equal(t, injection.Injected[0].GetName(), "plan")
	refusal(t, injection.LeftOut[0].Err, memslot.ErrSlotNotFound)
	text, err := memory.Scrub(ctx, "before "+injection.Text()+" after")
	must(t, err)
	equal(t, strings.Contains(text, secret), false)
	type message struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	}
	left, err := memslot.ScrubMessages(ctx, memory, []message{{"user", "kept"}, {"user", injection.Text()}})
	must(t, err)
	equal(t, left[0], message{"user", "kept"})
	equal(t, strings.Contains(left[1].Content, secret), false)
}

// A prompt card lists slots by name; schemas are JSON in a provider's form.
func TestCardAndSchemas(t *testing.T) {
	memory := connected(t, memslot.WithConversation("c"))
	_, err := memory.Write(ctx, "plan", secret, memslot.Description("what to do"))
	must(t, err)
	card, err := memory.PromptCard(ctx, memslot.MaxTokens(3000, "estimate"), memslot.InLanguage(memslot.Chinese), memslot.BesideSchemas(), memslot.Renew())
	must(t, err)
	equal(t, strings.Contains(card.GetCard(), "what to do") && !shows(card.GetCard()), true)
	for form, key := range map[memslot.ToolForm]string{memslot.OpenAI: "function", memslot.Anthropic: "input_schema", memslot.MCP: "inputSchema"} {
		schemas, err := memory.ToolSchemas(ctx, form, memslot.English, "mem_read")
		must(t, err)
		var tools []map[string]any
		must(t, json.Unmarshal(schemas, &tools))
		equal(t, len(tools), 1)
		if tools[0][key] == nil {
			t.Errorf("%v has no %s", form, key)
		}
	}
	_, err = memory.ToolSchemas(ctx, memslot.MCP, memslot.English, "mem_fly")
	refusal(t, err, memslot.ErrInvalidField)
}
