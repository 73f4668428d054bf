package memslot

import (
	"bytes"
	"context"
	"encoding/json"

	memslotv1 "github.com/memslot/memslot/clients/go/memslot/v1"
)

// A PromptFinding is a stored body, or a part of one, in a prompt. Its span is in characters of the text that its field names in
// the message; without a field, of a prompt that is one text, or of the message as JSON without white space.
type PromptFinding = memslotv1.PromptFinding

// An Inspection is what of the namespace's bodies stands in a prompt: names, places and sizes, never a body.
type Inspection struct {
	// Findings are in the order of the prompt, those included that an injection of the turn allows.
	Findings []*PromptFinding
	// Characters were looked through; LeakedCharacters of them stand in findings that nothing allows.
	Characters, LeakedCharacters int64
	// Slots is how many were compared.
	Slots int64
	// Incomplete says in words what was not compared; empty when all was.
	Incomplete   string
	TokenCounter string
	Revision     int64
}

// Leaked are the findings that no injection allows; none when nothing is leaked.
func (i *Inspection) Leaked() []*PromptFinding {
	var leaked []*PromptFinding
	for _, found := range i.Findings {
		if found.GetInjectionId() == "" {
			leaked = append(leaked, found)
		}
	}
	return leaked
}

// InspectPrompt finds what a prompt holds of stored bodies: whatever is in [Inspection.Leaked] came back without an injection of the
// turn of [ContextWithTurn].
//
// The prompt is a text, or one or more messages of any provider, as JSON or as whatever encoding/json makes JSON of. Found is each
// part of at least 40 characters of a body, and each shorter body of at least 12 as a whole, also with other white space and with
// JSON's escapes. The first call for a namespace reads all its bodies; what cannot be compared in time is told in Incomplete.
//
// Its errors: [ErrInvalidField].
func (c *Client) InspectPrompt(ctx context.Context, prompt any, options ...InspectOption) (*Inspection, error) {
	request := &memslotv1.InspectPromptRequest{Namespace: c.namespace}
	var err error
	if request.Prompt, request.MessagesJson, err = sentPrompt(prompt); err != nil {
		return nil, err
	}
	for _, option := range options {
		option.toInspect(request)
	}
	reply, err := ask[memslotv1.InspectPromptResponse](ctx, c, memslotv1.AgentService_InspectPrompt_FullMethodName, request)
	if err != nil {
		return nil, err
	}
	return &Inspection{
		Findings: reply.GetFindings(), Characters: reply.GetCharacters(), LeakedCharacters: reply.GetLeakedCharacters(),
		Slots: reply.GetSlots(), Incomplete: reply.GetIncomplete(), TokenCounter: reply.GetTokenCounter(), Revision: reply.GetRevision(),
	}, nil
}

// sentPrompt is a prompt as a text, or as a JSON array of messages; one message is a list of one.
func sentPrompt(prompt any) (text, messages string, err error) {
	if text, ok := prompt.(string); ok {
		return whole(text), "", nil
	}
	messages, err = sentText(prompt)
	if bytes.HasPrefix(bytes.TrimLeft([]byte(messages), " \t\r\n"), []byte("{")) {
		messages = "[" + messages + "]"
	}
	return "", messages, err
}

// sentText is a text as it is, anything else as JSON without white space, as every client counts it; nothing is an empty text.
func sentText(said any) (string, error) {
	if said == nil {
		return "", nil
	}
	text, err := spoken(said)
	if raw, ok := said.(json.RawMessage); ok && err == nil {
		var compact bytes.Buffer
		err = json.Compact(&compact, raw)
		text = compact.Bytes()
	}
	return whole(string(text)), err
}

// whole replaces what is no UTF-8, which no message can carry; each character keeps its place.
func whole(text string) string { return string([]rune(text)) }
