package memslot

import (
	"context"
	"encoding/json"
	"unicode/utf8"

	memslotv1 "github.com/memslot/memslot/clients/go/memslot/v1"
)

// An ActionOutcome says how an action ended.
type ActionOutcome = memslotv1.ActionOutcome

// How an action ended.
const (
	ActionValid    = memslotv1.ActionOutcome_ACTION_OUTCOME_VALID
	ActionDone     = memslotv1.ActionOutcome_ACTION_OUTCOME_DONE
	ActionNotFound = memslotv1.ActionOutcome_ACTION_OUTCOME_NOT_FOUND
	ActionRefused  = memslotv1.ActionOutcome_ACTION_OUTCOME_REFUSED
)

// An ActOption says how an output is read, and what becomes of it.
type ActOption func(*memslotv1.ActRequest)

// Lenient also takes what has exactly one reading once it is mended.
func Lenient() ActOption {
	return func(r *memslotv1.ActRequest) { r.Mode = memslotv1.ActMode_ACT_MODE_LENIENT }
}

// ValidateOnly executes nothing.
func ValidateOnly() ActOption {
	return func(r *memslotv1.ActRequest) { r.ValidateOnly = true }
}

// ShowOnce puts what the model reads into [Acted.Injection] too, at most so many characters of it; 0 is 16,000.
func ShowOnce(maxChars int32) ActOption {
	return func(r *memslotv1.ActRequest) {
		r.OnRead, r.MaxInjectedChars = memslotv1.OnRead_ON_READ_SHOW_ONCE, maxChars
	}
}

// ReceiptsIn says in which language the model is answered.
func ReceiptsIn(language Language) ActOption {
	return func(r *memslotv1.ActRequest) { r.Language = language }
}

// OwnPrefixes are prefixes under which the host offers the actions to its model, such as `mcp__memslot__`.
func OwnPrefixes(prefixes ...string) ActOption {
	return func(r *memslotv1.ActRequest) { r.OwnPrefixes = prefixes }
}

// Acted is what came of a model's output. However it is printed, no body and no text of the model is.
type Acted struct {
	// Actions were found, in the order of the output.
	Actions []Action
	// Rejects looked like actions and were not executed.
	Rejects []*memslotv1.ActionReject
	// ModelText is what the model is told, a line for each action and reject, without any body: the only part that is meant for the
	// history.
	ModelText string
	// ToolMessages say the same in the provider's form, one for each call id; [Acted.History] has them.
	ToolMessages []*memslotv1.ToolMessage
	// Injected is what the injection holds.
	Injected []*memslotv1.InjectedSlot
	Revision int64

	userText, injection hidden[string]
	// characters of the output, for [Acted.History].
	characters int
}

// An Action is one memory action that was found in an output.
type Action struct {
	// Action is `mem_write`, `mem_append`, `mem_patch`, `mem_read`, `mem_forget`, `mem_lookup` or `mem_search`.
	Action  string
	Outcome ActionOutcome
	// Slot is the name that it is about, as the model wrote it; empty for a lookup or a search.
	Slot string
	// Line is its receipt for the model.
	Line string
	// Start and End are where it stands, in characters of the output.
	Start, End int64
	// Repaired is what lenient reading mended.
	Repaired []string
	// CallID is the call's in the provider's message.
	CallID string
	Shape  string
	// Receipt is of a write, an append, a patch or a forget that was done.
	Receipt *Receipt
	// Read is what was read: the body is for the application.
	Read *Slot
	// Found are the names that a lookup or a search found, best first; More tells whether there are others.
	Found []string
	More  bool
	// Err says why it was not executed: an *Error.
	Err error

	arguments hidden[string]
}

// Arguments are the action's as a JSON object, as the model wrote them.
func (a *Action) Arguments() json.RawMessage { return json.RawMessage(a.arguments.get()) }

// UserText is the output without the actions.
func (a *Acted) UserText() string { return a.userText.get() }

// Injection is, with [ShowOnce], what was read, for the tail of the next prompt and no other.
func (a *Acted) Injection() string { return a.injection.get() }

// Any tells whether the output held something to execute, or that looked so.
func (a *Acted) Any() bool { return len(a.Actions)+len(a.Rejects) > 0 }

// Act executes the memory actions in a model's raw output, in their order, and returns what to tell the model.
//
// The output is a text, a provider's message as JSON ([json.RawMessage], []byte), or whatever encoding/json makes such a message
// of. The turn is that of [ContextWithTurn]. An action that fails is told in Actions, and the others go on.
//
// Its errors: [ErrInvalidField] for what is no output, [ErrRequestIDReused], [ErrOutcomeUnknown].
func (c *Client) Act(ctx context.Context, output any, options ...ActOption) (*Acted, error) {
	request := &memslotv1.ActRequest{Namespace: c.namespace, Mode: memslotv1.ActMode_ACT_MODE_STRICT}
	for _, option := range options {
		option(request)
	}
	text, err := spoken(output)
	if err != nil {
		return nil, err
	}
	characters := utf8.RuneCount(text)
	if utf8.Valid(text) {
		request.Output = string(text)
	} else {
		request.RawOutput = text
	}
	if request.ValidateOnly {
		reply, err := ask[memslotv1.ActResponse](ctx, c, memslotv1.AgentService_Act_FullMethodName, request)
		if err != nil {
			return nil, err
		}
		return actedOf(reply, characters), nil
	}
	request.RequestId = requestID(ctx)
	return mutate(ctx, c, memslotv1.AgentService_Act_FullMethodName, request.RequestId, request,
		func(reply *memslotv1.ActResponse) *Acted { return actedOf(reply, characters) })
}

// spoken is a text as it is, anything else as JSON.
func spoken(said any) ([]byte, error) {
	switch said := said.(type) {
	case string:
		return []byte(said), nil
	case []byte:
		return said, nil
	default:
		return encodeJSON(said)
	}
}

func actedOf(reply *memslotv1.ActResponse, characters int) *Acted {
	acted := &Acted{
		Actions: make([]Action, len(reply.GetActions())), Rejects: reply.GetRejects(), ModelText: reply.GetModelText(),
		ToolMessages: reply.GetToolMessages(), Injected: reply.GetInjected(), Revision: reply.GetRevision(),
		userText: hide(reply.GetUserText()), injection: hide(reply.GetInjection()),
		characters: characters,
	}
	for at, action := range reply.GetActions() {
		acted.Actions[at] = actionOf(action)
	}
	return acted
}

func actionOf(message *memslotv1.ActionResult) Action {
	var about struct {
		Slot string `json:"slot"`
	}
	_ = json.Unmarshal([]byte(message.GetArgumentsJson()), &about) // an action about no slot has none
	action := Action{
		Action: message.GetAction(), Outcome: message.GetOutcome(), Slot: about.Slot, Line: message.GetLine(),
		Start: message.GetSpan().GetStart(), End: message.GetSpan().GetEnd(), Repaired: message.GetRepaired(),
		CallID: message.GetCallId(), Shape: message.GetShape(), Found: message.GetFound().GetNames(),
		More: message.GetFound().GetMore(), arguments: hide(message.GetArgumentsJson()),
	}
	if message.GetReceipt() != nil {
		action.Receipt = receiptOf(message.GetReceipt())
	}
	if message.GetSlot() != nil {
		action.Read = slotOf(message.GetSlot())
	}
	if message.GetError() != nil {
		action.Err = statusError(message.GetError())
	}
	return action
}
