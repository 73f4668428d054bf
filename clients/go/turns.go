package memslot

import (
	"context"
	"errors"

	memslotv1 "github.com/memslot/memslot/clients/go/memslot/v1"
)

// A TurnAccount is the books of one turn: sizes only. Prompt is the whole, schemas included, and contains Instruction (card and
// schemas), Receipts, Injected (what injections of the turn show) and Leaked (bodies that nothing allows). Inlined is what the
// prompt would be with all live bodies in it and without anything of memslot's.
type TurnAccount = memslotv1.TurnAccount

// A TokenReport is what the latest recorded turns cost, oldest first, and their sums: Saved is what memslot saved against inlining
// every live body, its own cost taken off. It holds no text of a turn.
type TokenReport = memslotv1.GetTokenReportResponse

// A Verdict says whether memory outside the prompt pays; it is [VerdictUnspecified] when nothing was recorded.
type Verdict = memslotv1.Verdict

// Whether memory outside the prompt pays.
const (
	VerdictUnspecified     = memslotv1.Verdict_VERDICT_UNSPECIFIED
	VerdictMemslotCheaper  = memslotv1.Verdict_VERDICT_MEMSLOT_CHEAPER
	VerdictInliningCheaper = memslotv1.Verdict_VERDICT_INLINING_CHEAPER
)

// A MissingSaving says why a saving is missing, or smaller than it could be.
type MissingSaving = memslotv1.MissingSaving

// Why a saving is missing, or smaller than it could be.
const (
	SavingResultsInHistory   = memslotv1.MissingSaving_MISSING_SAVING_RESULTS_IN_HISTORY
	SavingInstructionTooLong = memslotv1.MissingSaving_MISSING_SAVING_INSTRUCTION_TOO_LONG
	SavingManyFullActions    = memslotv1.MissingSaving_MISSING_SAVING_MANY_FULL_ACTIONS
)

// A RecordOption says more of a turn that is booked.
type RecordOption interface {
	toRecord(*memslotv1.RecordTurnRequest) error
}

// An InspectOption says how a prompt is inspected.
type InspectOption interface {
	toInspect(*memslotv1.InspectPromptRequest)
}

// A ReportOption says which turns a report is about.
type ReportOption interface {
	toReport(*memslotv1.GetTokenReportRequest) error
}

type recording func(*memslotv1.RecordTurnRequest) error

func (r recording) toRecord(request *memslotv1.RecordTurnRequest) error { return r(request) }

type counter string

func (c counter) toRecord(request *memslotv1.RecordTurnRequest) error {
	request.TokenCounter = string(c)
	return nil
}
func (c counter) toInspect(request *memslotv1.InspectPromptRequest) { request.TokenCounter = string(c) }

type reporting func(*memslotv1.GetTokenReportRequest) error

func (r reporting) toReport(request *memslotv1.GetTokenReportRequest) error { return r(request) }

// CountedBy says what counts tokens (`chars`, `estimate`, `o200k`, `cl100k`), instead of the server's setting.
func CountedBy(name string) interface {
	RecordOption
	InspectOption
} {
	return counter(name)
}

// SentSchemas are the tools that were sent beside the prompt, as JSON or as whatever encoding/json makes JSON of.
func SentSchemas(schemas any) RecordOption {
	return recording(func(r *memslotv1.RecordTurnRequest) (err error) {
		r.SchemasJson, err = sentText(schemas)
		return err
	})
}

// SentCard is the prompt card that was sent, if it is not the one that the server keeps for the conversation.
func SentCard(card string) RecordOption {
	return recording(func(r *memslotv1.RecordTurnRequest) error { r.Card = whole(card); return nil })
}

// Used is what the provider said that the call used: its own object, or a [Usage]; see [UsageOf].
func Used(usage any) RecordOption {
	return recording(func(r *memslotv1.RecordTurnRequest) (err error) {
		r.Usage, err = UsageOf(usage)
		return err
	})
}

// LatestTurns bounds how many turns are added up; 100 unless given, at most 1000.
func LatestTurns(most int32) ReportOption {
	return reporting(func(r *memslotv1.GetTokenReportRequest) error {
		if most < 1 {
			return errors.New("memslot: ask for one turn at least")
		}
		r.Limit = most
		return nil
	})
}

// RecordTurn books one call of the model in the turn of [ContextWithTurn], and returns its books: sizes only, no text is kept. A turn
// that was booked before is booked anew.
//
// The prompt is what the model got, a text or messages of any provider, the output what it answered, a text or a provider's message
// (both as [Client.Act] takes them); an empty text when there is none.
//
// Its errors: [ErrInvalidField] (no turn, a card that the prompt does not hold, an unknown counter).
func (c *Client) RecordTurn(ctx context.Context, prompt, output any, options ...RecordOption) (*TurnAccount, error) {
	request := &memslotv1.RecordTurnRequest{Namespace: c.namespace}
	var err error
	if request.Prompt, request.MessagesJson, err = sentPrompt(prompt); err != nil {
		return nil, err
	}
	if request.Output, err = sentText(output); err != nil {
		return nil, err
	}
	for _, option := range options {
		if err := option.toRecord(request); err != nil {
			return nil, err
		}
	}
	reply, err := ask[memslotv1.RecordTurnResponse](ctx, c, memslotv1.AgentService_RecordTurn_FullMethodName, request)
	return reply.GetAccount(), err
}

// TokenReport returns what the latest recorded turns cost, and whether memory outside the prompt pays: those of the conversation of
// [WithConversation] or [OfConversation], and without one all of the namespace.
//
// Its errors: [ErrInvalidField].
func (c *Client) TokenReport(ctx context.Context, options ...ReportOption) (*TokenReport, error) {
	request := &memslotv1.GetTokenReportRequest{Namespace: c.namespace}
	for _, option := range options {
		if err := option.toReport(request); err != nil {
			return nil, err
		}
	}
	return ask[memslotv1.GetTokenReportResponse](ctx, c, memslotv1.AgentService_GetTokenReport_FullMethodName, request)
}
