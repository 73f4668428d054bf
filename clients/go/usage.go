package memslot

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	memslotv1 "github.com/memslot/memslot/clients/go/memslot/v1"
)

// Usage is what a provider said that a call used; nil where it did not say. CachedTokens are part of PromptTokens.
type Usage = memslotv1.ProviderUsage

// UsageOf returns what a provider's usage says: OpenAI's (both APIs), Anthropic's or Gemini's, as JSON ([json.RawMessage]), or as
// whatever encoding/json makes such an object of, an SDK's for one.
func UsageOf(said any) (*Usage, error) {
	switch said := said.(type) {
	case *Usage:
		return said, nil
	case []byte:
		return UsageOf(json.RawMessage(said))
	}
	text, err := encodeJSON(said)
	if err != nil {
		return nil, err
	}
	var told map[string]any
	if err := decodeNumbers(text, &told); err != nil || told == nil {
		return nil, fmt.Errorf("memslot: usage is a provider's usage, a JSON object, and %T is none", said)
	}
	switch names := slices.Collect(maps.Keys(told)); {
	case slices.Contains(names, "promptTokenCount") || slices.Contains(names, "prompt_token_count"):
		return usageOfGemini(told), nil
	case slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(name, "cache_") }):
		return usageOfAnthropic(told), nil
	default:
		return usageOfOpenAI(told), nil
	}
}

func usageOfOpenAI(told map[string]any) *Usage {
	details, _ := told["prompt_tokens_details"].(map[string]any)
	if details == nil {
		details, _ = told["input_tokens_details"].(map[string]any)
	}
	cached := counted(details, "cached_tokens")
	if cached == nil {
		cached = counted(told, "cached_tokens")
	}
	return &Usage{
		PromptTokens: counted(told, "prompt_tokens", "input_tokens"), CachedTokens: cached,
		CompletionTokens: counted(told, "completion_tokens", "output_tokens"),
	}
}

// usageOfGemini: thoughts are paid as output, and counted apart.
func usageOfGemini(told map[string]any) *Usage {
	answered := counted(told, "candidatesTokenCount", "candidates_token_count")
	if thought := counted(told, "thoughtsTokenCount", "thoughts_token_count"); thought != nil {
		answered = sum(answered, thought)
	}
	return &Usage{
		PromptTokens: counted(told, "promptTokenCount", "prompt_token_count"),
		CachedTokens: counted(told, "cachedContentTokenCount", "cached_content_token_count"), CompletionTokens: answered,
	}
}

// usageOfAnthropic: input_tokens are only those that are neither read from the cache nor written into it.
func usageOfAnthropic(told map[string]any) *Usage {
	read, prompt := counted(told, "cache_read_input_tokens"), counted(told, "input_tokens")
	if prompt != nil {
		prompt = sum(prompt, read, counted(told, "cache_creation_input_tokens"))
	}
	return &Usage{PromptTokens: prompt, CachedTokens: read, CompletionTokens: counted(told, "output_tokens")}
}

// counted is the first of these numbers that was told.
func counted(told map[string]any, names ...string) *int64 {
	for _, name := range names {
		if number, ok := told[name].(json.Number); ok {
			if count, err := number.Int64(); err == nil {
				return &count
			}
		}
	}
	return nil
}

func sum(counts ...*int64) *int64 {
	var total int64
	for _, count := range counts {
		if count != nil {
			total += *count
		}
	}
	return &total
}
