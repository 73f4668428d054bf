package memslot

import (
	"fmt"
	"io"
	"log/slog"
	"time"

	memslotv1 "github.com/memslot/memslot/clients/go/memslot/v1"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// SlotInfo is everything about a slot but its body.
type SlotInfo struct {
	Name      string
	Namespace string
	// Revision is the token for [IfRevision].
	Revision int64
	// Version counts the changes since the slot was created, from 1.
	Version     int64
	ContentType string
	BodyBytes   int64
	Description string
	TaskType    string
	Tags        []string
	// Attributes are of type string, int64, float64 and bool.
	Attributes map[string]any
	Importance float64
	// RankScore is higher for what comes first; comparable only within one reply.
	RankScore   float64
	Pinned      bool
	AccessCount int64
	CreateTime  time.Time
	UpdateTime  time.Time
	// AccessTime is zero when the slot was never read.
	AccessTime time.Time
	// ExpireTime is zero when the slot never expires.
	ExpireTime time.Time
	WrittenBy  string
	Origin     Origin
	// HasSummary: a summary of the present body is at hand, which Summary holds where it was asked for.
	HasSummary bool
	// HasVector: the writer sent a vector with the present body.
	HasVector bool
	Summary   *Summary
}

// A Summary is a short text that stands for a body.
type Summary struct {
	// Source is how it was made.
	Source SummarySource
	// Origin is the least trusted of what it was made from.
	Origin Origin
	// Revision is the slot's that it belongs to.
	Revision int64

	text hidden[string]
}

// Text is the summary itself.
func (s *Summary) Text() string { return s.text.get() }

// A Receipt says what a mutation did to one slot.
type Receipt struct {
	Name    string
	Outcome Outcome
	// Revision is the slot's after the call, of its tombstone when it was forgotten, 0 when it was absent.
	Revision int64
	Version  int64
	// PreviousRevision is the one before; 0 when there was no slot.
	PreviousRevision int64
	// ExpireTime is zero when the slot never expires.
	ExpireTime time.Time
	// Evicted names slots that made room, lowest rank first.
	Evicted  []string
	Warnings []Warning
}

// A Slot is a slot with its body. However it is printed or logged, its body is not.
type Slot struct {
	SlotInfo

	body hidden[[]byte]
}

// Bytes is the body. It is not a copy.
func (s *Slot) Bytes() []byte { return s.body.get() }

// String tells all that matters of a slot, and the size of its body.
func (s Slot) String() string {
	return fmt.Sprintf("memslot.Slot(name=%q, namespace=%q, revision=%d, content_type=%q, %d bytes)",
		s.Name, s.Namespace, s.Revision, s.ContentType, len(s.body.get()))
}

// Format writes what [Slot.String] returns, whatever the verb.
func (s Slot) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, s.String()) }

// LogValue tells the name, the revision and the size.
func (s Slot) LogValue() slog.Value {
	return slog.GroupValue(
		slog.String("name", s.Name), slog.String("namespace", s.Namespace), slog.Int64("revision", s.Revision),
		slog.String("content_type", s.ContentType), slog.Int("body_bytes", len(s.body.get())),
	)
}

func slotOf(message *memslotv1.Slot) *Slot {
	return &Slot{SlotInfo: infoOf(message.GetInfo()), body: hide(message.GetBody())}
}

func infoOf(message *memslotv1.SlotInfo) SlotInfo {
	return SlotInfo{
		Name: message.GetName(), Namespace: message.GetNamespace(), Revision: message.GetRevision(), Version: message.GetVersion(),
		ContentType: message.GetContentType(), BodyBytes: message.GetBodyBytes(), Description: message.GetDescription(),
		TaskType: message.GetTaskType(), Tags: message.GetTags(), Attributes: attributesOf(message.GetAttributes()),
		Importance: message.GetImportance(), RankScore: message.GetRankScore(), Pinned: message.GetPinned(),
		AccessCount: message.GetAccessCount(), CreateTime: moment(message.GetCreateTime()), UpdateTime: moment(message.GetUpdateTime()),
		AccessTime: moment(message.GetAccessTime()), ExpireTime: moment(message.GetExpireTime()), WrittenBy: message.GetWrittenBy(),
		Origin: message.GetOrigin(), HasSummary: message.GetHasSummary(), HasVector: message.GetHasVector(),
	}
}

func summaryOf(message *memslotv1.Summary) *Summary {
	if message == nil {
		return nil
	}
	return &Summary{Source: message.GetSource(), Origin: message.GetOrigin(), Revision: message.GetRevision(), text: hide(message.GetText())}
}

func receiptOf(message *memslotv1.Receipt) *Receipt {
	return &Receipt{
		Name: message.GetName(), Outcome: message.GetOutcome(), Revision: message.GetRevision(), Version: message.GetVersion(),
		PreviousRevision: message.GetPreviousRevision(), ExpireTime: moment(message.GetExpireTime()), Evicted: message.GetEvicted(),
		Warnings: message.GetWarnings(),
	}
}

// moment is a point in time in UTC; zero when it is unset.
func moment(message *timestamppb.Timestamp) time.Time {
	if message == nil {
		return time.Time{}
	}
	return message.AsTime()
}
