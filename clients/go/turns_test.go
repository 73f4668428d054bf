package memslot_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	memslot "github.com/memslot/memslot/clients/go"
)

const fox = "The quick brown fox jumps over the lazy dog near the river bank at dawn."

type said struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// A turn is booked in sizes, by text or by messages; the report says whether memory outside the prompt pays, and what is in the way.
func TestRecordTurnAndTokenReport(t *testing.T) {
	memory := connected(t, memslot.WithConversation("talk"))
	_, err := memory.Write(ctx, "fox", fox)
	must(t, err)
	first := memslot.ContextWithTurn(ctx, "1")
	account, err := memory.RecordTurn(first, "a prompt without it", said{"assistant", "ok"},
		memslot.Used(map[string]any{"prompt_tokens": 12, "completion_tokens": 3}), memslot.CountedBy("chars"),
		memslot.SentSchemas(json.RawMessage(`[{"name":"mem_read"}]`)))
	must(t, err)
	equal(t, account.GetTurn(), "1")
	equal(t, account.GetConversation(), "talk")
	equal(t, account.GetPrompt().GetCharacters(), int64(len("a prompt without it")+len(`[{"name":"mem_read"}]`)))
	equal(t, account.GetUsage().GetPromptTokens(), 12)
	equal(t, account.GetUsage().CachedTokens == nil, true)
	equal(t, account.GetBodyBytesOutside(), int64(len(fox)))
	account, err = memory.RecordTurn(memslot.ContextWithTurn(ctx, "2"), []said{{"user", "é " + fox}}, "")
	must(t, err)
	equal(t, account.GetLeaked().GetCharacters(), int64(len(fox)))
	report, err := memory.TokenReport(ctx, memslot.LatestTurns(10), memslot.ToldIn(memslot.English))
	must(t, err)
	equal(t, len(report.GetTurns()), 2)
	equal(t, report.GetVerdict() != memslot.VerdictUnspecified, true)
	equal(t, report.GetProblems()[0].GetCause(), memslot.SavingResultsInHistory)
	equal(t, report.GetProblems()[0].GetTurns()[0], "2")
	report, err = memory.TokenReport(ctx, memslot.OfConversation("another"))
	must(t, err)
	equal(t, report.GetVerdict(), memslot.VerdictUnspecified)
	_, err = memory.RecordTurn(ctx, "of no turn", nil)
	refusal(t, err, memslot.ErrInvalidField)
	_, err = memory.RecordTurn(first, "x", nil, memslot.SentCard("no such card"))
	refusal(t, err, memslot.ErrInvalidField)
	if _, err = memory.RecordTurn(first, "x", nil, memslot.Used(7)); err == nil {
		t.Error("7 is no usage")
	}
	if _, err = memory.TokenReport(ctx, memslot.LatestTurns(0)); err == nil {
		t.Error("no turns were asked for")
	}
}

// A provider's usage is understood in the form of each provider.
func TestUsage(t *testing.T) {
	for given, want := range map[string]string{
		`{"prompt_tokens":9,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":4}}`:                                   "9 4 2",
		`{"input_tokens":9,"output_tokens":2,"input_tokens_details":{"cached_tokens":4}}`:                                         "9 4 2",
		`{"prompt_tokens":9,"completion_tokens":2,"cached_tokens":5}`:                                                             "9 5 2",
		`{"input_tokens":9,"output_tokens":2,"cache_read_input_tokens":4,"cache_creation_input_tokens":1}`:                        "14 4 2",
		`{"promptTokenCount":9,"cachedContentTokenCount":4,"candidatesTokenCount":2,"thoughtsTokenCount":5,"totalTokenCount":16}`: "9 4 7",
		`{"prompt_token_count":9,"candidates_token_count":2,"thoughts_token_count":null}`:                                         "9 - 2",
		`{}`: "- - -",
	} {
		usage, err := memslot.UsageOf(json.RawMessage(given))
		must(t, err)
		var told []string
		for _, count := range []*int64{usage.PromptTokens, usage.CachedTokens, usage.CompletionTokens} {
			if count == nil {
				told = append(told, "-")
			} else {
				told = append(told, fmt.Sprint(*count))
			}
		}
		equal(t, strings.Join(told, " "), want)
	}
	if _, err := memslot.UsageOf("many"); err == nil {
		t.Error("a text is no usage")
	}
}

// What came back into a prompt unasked is found with its place, in a text, in messages and in one message.
func TestInspectPrompt(t *testing.T) {
	memory := connected(t)
	_, err := memory.Write(ctx, "fox", fox, memslot.From(memslot.OriginUser))
	must(t, err)
	for _, one := range []struct {
		prompt any
		field  string
		start  int64
	}{
		{"é\xff " + fox, "", 3},
		{[]said{{"user", "é " + fox}}, "content", 2},
		{said{"user", fox}, "content", 0},
		{json.RawMessage(` [{"role":"user","content":[{"type":"text","text":"` + fox + `"}]}]`), "content[0].text", 0},
	} {
		inspection, err := memory.InspectPrompt(ctx, one.prompt, memslot.CountedBy("chars"))
		must(t, err)
		equal(t, len(inspection.Leaked()), 1)
		found := inspection.Leaked()[0]
		equal(t, found.GetName(), "fox")
		equal(t, found.GetField(), one.field)
		equal(t, found.GetSpan().GetStart(), one.start)
		equal(t, found.GetWhole(), true)
		equal(t, inspection.LeakedCharacters, int64(len(fox)))
	}
	turn := memslot.ContextWithTurn(ctx, "7")
	injection, err := memory.Inject(turn, []string{"fox"})
	must(t, err)
	inspection, err := memory.InspectPrompt(turn, injection.Text())
	must(t, err)
	equal(t, len(inspection.Findings), 1)
	equal(t, len(inspection.Leaked()), 0)
	_, err = memory.InspectPrompt(ctx, "")
	refusal(t, err, memslot.ErrInvalidField)
}

// The five steps of a turn say which broke first; of a turn of which nothing is known that is said.
func TestDiagnose(t *testing.T) {
	memory := connected(t, memslot.WithConversation("talk"))
	_, err := memory.Diagnose(ctx, "1")
	refusal(t, err, memslot.ErrTurnNotFound)
	_, err = memory.Act(memslot.ContextWithTurn(ctx, "1"), `{"action":"mem_write","slot":"name","value":"Ada"}`)
	must(t, err)
	diagnosis, err := memory.Diagnose(ctx, "", memslot.OfConversation("talk"), memslot.AboutSlot("name"), memslot.NextPrompt([]said{{"user", "go on"}}), memslot.UserWasTold("Ada"))
	must(t, err)
	equal(t, diagnosis.GetTurn(), "1")
	equal(t, diagnosis.GetFirstBroken(), memslot.StepUnspecified)
	equal(t, diagnosis.GetSteps()[2].GetStep(), memslot.StepStore)
	equal(t, diagnosis.GetSteps()[2].GetVerdict(), memslot.StepOK)
	diagnosis, err = memory.Diagnose(ctx, "2", memslot.ModelWrote(`{"action":"mem_write","slot":"cut","value":"the end is mis`), memslot.ToldIn(memslot.English))
	must(t, err)
	equal(t, diagnosis.GetFirstBroken(), memslot.StepParse)
	equal(t, diagnosis.GetSteps()[1].GetVerdict(), memslot.StepBroken)
	equal(t, diagnosis.GetSummary() != "", true)
}
