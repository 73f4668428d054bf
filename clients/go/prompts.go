package memslot

import (
	"context"
	"encoding/json"
	"fmt"

	memslotv1 "github.com/memslot/memslot/clients/go/memslot/v1"
)

// A PromptOption bounds what is put into a prompt.
type PromptOption interface {
	CardOption
	InjectOption
}

// A CardOption says what a prompt card looks like.
type CardOption interface {
	toCard(*memslotv1.GetPromptCardRequest)
}

// An InjectOption says what an injection shows.
type InjectOption interface {
	toInject(*memslotv1.InjectRequest)
}

type bounding struct {
	card   func(*memslotv1.GetPromptCardRequest)
	inject func(*memslotv1.InjectRequest)
}

func (b bounding) toCard(request *memslotv1.GetPromptCardRequest) { b.card(request) }
func (b bounding) toInject(request *memslotv1.InjectRequest)      { b.inject(request) }

type carding func(*memslotv1.GetPromptCardRequest)

func (c carding) toCard(request *memslotv1.GetPromptCardRequest) { c(request) }

type injecting func(*memslotv1.InjectRequest)

func (i injecting) toInject(request *memslotv1.InjectRequest) { i(request) }

// MaxChars bounds the text in characters. A card has 4,000 unless given, and needs 700; an injection has 16,000.
func MaxChars(count int32) PromptOption {
	return bounding{
		func(r *memslotv1.GetPromptCardRequest) { r.MaxChars = count }, func(r *memslotv1.InjectRequest) { r.MaxChars = count },
	}
}

// MaxTokens bounds the text in tokens, as a counter counts them (`chars`, `estimate`, `o200k`, `cl100k`; empty is the server's).
func MaxTokens(count int32, counter string) PromptOption {
	return bounding{
		func(r *memslotv1.GetPromptCardRequest) { r.MaxTokens, r.TokenCounter = count, counter },
		func(r *memslotv1.InjectRequest) { r.MaxTokens, r.TokenCounter = count, counter },
	}
}

// InLanguage says in which language a model reads; English unless given.
func InLanguage(language Language) PromptOption {
	return bounding{
		func(r *memslotv1.GetPromptCardRequest) { r.Language = language }, func(r *memslotv1.InjectRequest) { r.Language = language },
	}
}

// Renew makes the card anew from what is stored now.
func Renew() CardOption {
	return carding(func(r *memslotv1.GetPromptCardRequest) { r.Renew = true })
}

// BesideSchemas leaves out how an action is written as text, for a model that is given [Client.ToolSchemas].
func BesideSchemas() CardOption {
	return carding(func(r *memslotv1.GetPromptCardRequest) { r.WithSchemas = true })
}

// RefuseUntrusted leaves out what a model or a tool wrote, or nobody says who, instead of marking it.
func RefuseUntrusted() InjectOption {
	return injecting(func(r *memslotv1.InjectRequest) { r.Untrusted = memslotv1.UntrustedPolicy_UNTRUSTED_POLICY_REFUSE })
}

// WithoutSummaries leaves out a body that does not fit, rather than to show its summary.
func WithoutSummaries() InjectOption {
	return injecting(func(r *memslotv1.InjectRequest) { r.NoSummaries = true })
}

// PromptCard is what a model is told of its memory: Card belongs into the system prompt and is the same, byte for byte, until it is
// renewed; Tail belongs to the end of the prompt and says what changed since.
type PromptCard = memslotv1.GetPromptCardResponse

// PromptCard returns the text for the system prompt: how to use memory, and the slots by rank with their descriptions. The server
// keeps it for the conversation of [WithConversation].
//
// Its errors: [ErrInvalidField] when a bound is too small for the instructions, or there is no such counter.
func (c *Client) PromptCard(ctx context.Context, options ...CardOption) (*PromptCard, error) {
	request := &memslotv1.GetPromptCardRequest{Namespace: c.namespace}
	for _, option := range options {
		option.toCard(request)
	}
	return ask[memslotv1.GetPromptCardResponse](ctx, c, memslotv1.AgentService_GetPromptCard_FullMethodName, request)
}

// A ToolForm says whose form schemas have.
type ToolForm = memslotv1.ToolForm

// Whose form schemas have.
const (
	OpenAI    = memslotv1.ToolForm_TOOL_FORM_OPENAI
	Anthropic = memslotv1.ToolForm_TOOL_FORM_ANTHROPIC
	MCP       = memslotv1.ToolForm_TOOL_FORM_MCP
)

// ToolSchemas returns the memory actions as a JSON array of tools, to be sent as `tools` of a hosted API: all seven, or only those
// that are named. What the model calls goes to [Client.Act].
func (c *Client) ToolSchemas(ctx context.Context, form ToolForm, language Language, actions ...string) (json.RawMessage, error) {
	request := &memslotv1.GetToolSchemasRequest{Form: form, Language: language, Actions: actions}
	reply, err := ask[memslotv1.GetToolSchemasResponse](ctx, c, memslotv1.AgentService_GetToolSchemas_FullMethodName, request)
	return json.RawMessage(reply.GetSchemasJson()), err
}

// An Injection is bodies as one text for the tail of one prompt. However it is printed, they are not.
type Injection struct {
	// Injected are the slots that it shows, in its order.
	Injected []*memslotv1.InjectedSlot
	// LeftOut are those that it does not show.
	LeftOut      []LeftOut
	Characters   int64
	Tokens       int64
	TokenCounter string
	Revision     int64

	text hidden[string]
}

// LeftOut is a slot that was asked for and is not shown: [ErrSlotNotFound], [ErrInjectionBudget], [ErrUntrustedOrigin] or
// [ErrNotText] says why.
type LeftOut struct {
	Name string
	Err  error
}

// Text is what to put at the end of the prompt; empty when nothing could be shown.
func (i *Injection) Text() string { return i.text.get() }

// Inject returns slots as one text for the tail of one prompt, the most important names (at most 128) first.
//
// Each body stands between delimiters that it cannot close. It is booked with the turn of [ContextWithTurn]: in the prompts of
// other turns the same text counts as leaked, and [Client.Scrub] removes it. Each body shown is an access.
func (c *Client) Inject(ctx context.Context, names []string, options ...InjectOption) (*Injection, error) {
	request := &memslotv1.InjectRequest{Namespace: c.namespace, Names: names}
	for _, option := range options {
		option.toInject(request)
	}
	reply, err := ask[memslotv1.InjectResponse](ctx, c, memslotv1.AgentService_Inject_FullMethodName, request)
	if err != nil {
		return nil, err
	}
	injection := &Injection{
		Injected: reply.GetInjected(), Characters: reply.GetCharacters(), Tokens: reply.GetTokens(),
		TokenCounter: reply.GetTokenCounter(), Revision: reply.GetRevision(), text: hide(reply.GetText()),
	}
	for _, left := range reply.GetLeftOut() {
		injection.LeftOut = append(injection.LeftOut, LeftOut{left.GetName(), statusError(left.GetStatus())})
	}
	return injection, nil
}

// Scrub returns a text without the injections in it, but those with the ids in keep.
func (c *Client) Scrub(ctx context.Context, text string, keep ...string) (string, error) {
	if text == "" {
		return "", nil
	}
	request := &memslotv1.ScrubRequest{Text: text, Keep: keep}
	reply, err := ask[memslotv1.ScrubResponse](ctx, c, memslotv1.AgentService_Scrub_FullMethodName, request)
	return reply.GetText(), err
}

// ScrubMessages returns a message history without the injections in it, but those with the ids in keep. Messages may be of any
// provider; each goes through its JSON and back, in which numbers whose type M does not say become [json.Number].
func ScrubMessages[M any](ctx context.Context, c *Client, messages []M, keep ...string) ([]M, error) {
	if len(messages) == 0 {
		return messages, nil
	}
	sent, err := encodeJSON(messages)
	if err != nil {
		return nil, err
	}
	request := &memslotv1.ScrubRequest{MessagesJson: string(sent), Keep: keep}
	reply, err := ask[memslotv1.ScrubResponse](ctx, c, memslotv1.AgentService_Scrub_FullMethodName, request)
	if err != nil {
		return nil, err
	}
	var left []M
	if err := decodeNumbers([]byte(reply.GetMessagesJson()), &left); err != nil {
		return nil, fmt.Errorf("memslot: a message without its injections %s", misfit(&left, err))
	}
	return left, nil
}
