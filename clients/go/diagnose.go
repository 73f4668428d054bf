package memslot

import (
	"context"

	memslotv1 "github.com/memslot/memslot/clients/go/memslot/v1"
)

// A Diagnosis is what is known of a turn in its five steps (output, parse, store, prompt, tokens), each as bad as the worst of its
// findings, the first that broke ([StepUnspecified] when none did), and what is to be said of it in one sentence. It quotes no body.
type Diagnosis = memslotv1.DiagnoseTurnResponse

// A DiagnosedStep is one of the five steps of a turn, and how it went.
type DiagnosedStep = memslotv1.DiagnosedStep

// A TurnStep is one of the five steps of a turn.
type TurnStep = memslotv1.TurnStep

// The five steps of a turn.
const (
	StepUnspecified = memslotv1.TurnStep_TURN_STEP_UNSPECIFIED
	StepOutput      = memslotv1.TurnStep_TURN_STEP_OUTPUT
	StepParse       = memslotv1.TurnStep_TURN_STEP_PARSE
	StepStore       = memslotv1.TurnStep_TURN_STEP_STORE
	StepPrompt      = memslotv1.TurnStep_TURN_STEP_PROMPT
	StepTokens      = memslotv1.TurnStep_TURN_STEP_TOKENS
)

// A StepVerdict says how a step of a turn went.
type StepVerdict = memslotv1.StepVerdict

// How a step of a turn went; unknown where nothing is known of it.
const (
	StepUnknown = memslotv1.StepVerdict_STEP_VERDICT_UNSPECIFIED
	StepOK      = memslotv1.StepVerdict_STEP_VERDICT_OK
	StepWarning = memslotv1.StepVerdict_STEP_VERDICT_WARNING
	StepBroken  = memslotv1.StepVerdict_STEP_VERDICT_BROKEN
)

// A DiagnoseOption says more of the turn that is diagnosed.
type DiagnoseOption interface {
	toDiagnose(*memslotv1.DiagnoseTurnRequest) error
}

type diagnosing func(*memslotv1.DiagnoseTurnRequest) error

func (d diagnosing) toDiagnose(request *memslotv1.DiagnoseTurnRequest) error { return d(request) }

// telling sets what reports and diagnoses both have.
type telling struct {
	reporting
	diagnosing
}

// OfConversation is about turns of that conversation, instead of that of [WithConversation].
func OfConversation(conversation string) interface {
	ReportOption
	DiagnoseOption
} {
	return telling{
		func(r *memslotv1.GetTokenReportRequest) error { r.Conversation = conversation; return nil },
		func(r *memslotv1.DiagnoseTurnRequest) error { r.Conversation = conversation; return nil },
	}
}

// ToldIn says in which language the verdict and the findings are told; English unless given.
func ToldIn(language Language) interface {
	ReportOption
	DiagnoseOption
} {
	return telling{
		func(r *memslotv1.GetTokenReportRequest) error { r.Language = language; return nil },
		func(r *memslotv1.DiagnoseTurnRequest) error { r.Language = language; return nil },
	}
}

// AboutSlot is the slot that matters, instead of those of the turn's actions.
func AboutSlot(name string) DiagnoseOption {
	return diagnosing(func(r *memslotv1.DiagnoseTurnRequest) error { r.Name = name; return nil })
}

// ModelWrote is the model's output of the turn, a text or a provider's message, to be parsed again.
func ModelWrote(output any) DiagnoseOption {
	return diagnosing(func(r *memslotv1.DiagnoseTurnRequest) (err error) {
		r.Output, err = sentText(output)
		return err
	})
}

// NextPrompt is the prompt that came after the turn's output, a text or messages of any provider.
func NextPrompt(prompt any) DiagnoseOption {
	return diagnosing(func(r *memslotv1.DiagnoseTurnRequest) (err error) {
		r.Prompt, err = sentText(prompt)
		return err
	})
}

// UserWasTold is the answer that the user got, to be compared with the slot.
func UserWasTold(answer string) DiagnoseOption {
	return diagnosing(func(r *memslotv1.DiagnoseTurnRequest) error { r.Answer = whole(answer); return nil })
}

// Diagnose returns what is known of a turn, and which of its steps broke first. An empty turn is the latest one of the conversation.
//
// Its errors: [ErrTurnNotFound] (nothing is known of it, and nothing is given), [ErrInvalidName], [ErrInvalidField].
func (c *Client) Diagnose(ctx context.Context, turn string, options ...DiagnoseOption) (*Diagnosis, error) {
	request := &memslotv1.DiagnoseTurnRequest{Namespace: c.namespace, Turn: turn}
	for _, option := range options {
		if err := option.toDiagnose(request); err != nil {
			return nil, err
		}
	}
	return ask[memslotv1.DiagnoseTurnResponse](ctx, c, memslotv1.AgentService_DiagnoseTurn_FullMethodName, request)
}
