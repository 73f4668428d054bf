package memslot

import memslotv1 "github.com/memslot/memslot/clients/go/memslot/v1"

// An Origin says who a body comes from, as its writer says. It is not verified.
type Origin = memslotv1.Origin

// Who a body comes from.
const (
	OriginUnspecified = memslotv1.Origin_ORIGIN_UNSPECIFIED
	OriginUser        = memslotv1.Origin_ORIGIN_USER
	OriginModel       = memslotv1.Origin_ORIGIN_MODEL
	OriginTool        = memslotv1.Origin_ORIGIN_TOOL
	OriginOperator    = memslotv1.Origin_ORIGIN_OPERATOR
)

// An Outcome says what a mutation did to one slot.
type Outcome = memslotv1.Outcome

// What a mutation did to one slot.
const (
	OutcomeCreated     = memslotv1.Outcome_OUTCOME_CREATED
	OutcomeOverwritten = memslotv1.Outcome_OUTCOME_OVERWRITTEN
	OutcomeAppended    = memslotv1.Outcome_OUTCOME_APPENDED
	OutcomePatched     = memslotv1.Outcome_OUTCOME_PATCHED
	OutcomeUpdated     = memslotv1.Outcome_OUTCOME_UPDATED
	OutcomeUnchanged   = memslotv1.Outcome_OUTCOME_UNCHANGED
	OutcomeForgotten   = memslotv1.Outcome_OUTCOME_FORGOTTEN
	OutcomeAbsent      = memslotv1.Outcome_OUTCOME_ABSENT
	OutcomeChecked     = memslotv1.Outcome_OUTCOME_CHECKED
)

// A Warning is something the caller should know though the call succeeded.
type Warning = memslotv1.Warning

// What a receipt may warn of.
const (
	WarningSlotLimitNear = memslotv1.Warning_WARNING_SLOT_LIMIT_NEAR
	WarningTTLClamped    = memslotv1.Warning_WARNING_TTL_CLAMPED
)

// An Order says how a lookup lists.
type Order = memslotv1.LookupOrder

// In which order a lookup lists. By name and by creation each slot that lives throughout comes exactly once; in the other orders
// a slot that moves meanwhile may repeat or be missed.
const (
	OrderRank     = memslotv1.LookupOrder_LOOKUP_ORDER_RANK
	OrderName     = memslotv1.LookupOrder_LOOKUP_ORDER_NAME
	OrderUpdated  = memslotv1.LookupOrder_LOOKUP_ORDER_UPDATED
	OrderCreated  = memslotv1.LookupOrder_LOOKUP_ORDER_CREATED
	OrderAccessed = memslotv1.LookupOrder_LOOKUP_ORDER_ACCESSED
	OrderExpires  = memslotv1.LookupOrder_LOOKUP_ORDER_EXPIRES
	OrderSize     = memslotv1.LookupOrder_LOOKUP_ORDER_SIZE
)

// A Language is that of the texts that a model reads.
type Language = memslotv1.Language

// Languages of the texts that a model reads.
const (
	English = memslotv1.Language_LANGUAGE_EN
	Chinese = memslotv1.Language_LANGUAGE_ZH
)

// A Match is one of what led to a hit.
type Match = memslotv1.Match

// What led to a hit.
const (
	MatchName        = memslotv1.Match_MATCH_NAME
	MatchDescription = memslotv1.Match_MATCH_DESCRIPTION
	MatchTags        = memslotv1.Match_MATCH_TAGS
	MatchTaskType    = memslotv1.Match_MATCH_TASK_TYPE
	MatchBody        = memslotv1.Match_MATCH_BODY
	MatchVector      = memslotv1.Match_MATCH_VECTOR
	MatchNeighbor    = memslotv1.Match_MATCH_NEIGHBOR
)

// A SummarySource says how a summary was made.
type SummarySource = memslotv1.SummarySource

// How a summary was made.
const (
	SummaryByWriter   = memslotv1.SummarySource_SUMMARY_SOURCE_WRITER
	SummaryExtractive = memslotv1.SummarySource_SUMMARY_SOURCE_EXTRACTIVE
	SummaryByModel    = memslotv1.SummarySource_SUMMARY_SOURCE_MODEL
)

// A SummaryMode says how summaries are made in the background.
type SummaryMode = memslotv1.SummaryMode

// How summaries are made in the background.
const (
	SummariesOff        = memslotv1.SummaryMode_SUMMARY_MODE_OFF
	SummariesExtractive = memslotv1.SummaryMode_SUMMARY_MODE_EXTRACTIVE
	SummariesByModel    = memslotv1.SummaryMode_SUMMARY_MODE_MODEL
)

// A VectorIndexKind says what compares vectors.
type VectorIndexKind = memslotv1.VectorIndexKind

// What compares vectors.
const (
	VectorIndexAuto      = memslotv1.VectorIndexKind_VECTOR_INDEX_KIND_AUTO
	VectorIndexExact     = memslotv1.VectorIndexKind_VECTOR_INDEX_KIND_EXACT
	VectorIndexHNSW      = memslotv1.VectorIndexKind_VECTOR_INDEX_KIND_HNSW
	VectorIndexChroma    = memslotv1.VectorIndexKind_VECTOR_INDEX_KIND_CHROMA
	VectorIndexSQLiteVSS = memslotv1.VectorIndexKind_VECTOR_INDEX_KIND_SQLITE_VSS
)
