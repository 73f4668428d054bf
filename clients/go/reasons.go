package memslot

// A Reason says what went wrong, in UPPER_SNAKE_CASE as in the contract. It is an error itself, so that
// errors.Is(err, memslot.ErrSlotNotFound) holds for each [*Error] of that reason. A newer sidecar may send reasons that are
// not listed here; status.Code(err) is always there.
type Reason string

// Error returns the reason.
func (r Reason) Error() string { return "memslot: " + string(r) }

// What the client itself says.
const (
	// ErrOutcomeUnknown: a mutation was sent and no answer came, also after retries: it may have happened or not. [Retry]
	// settles it.
	ErrOutcomeUnknown Reason = "OUTCOME_UNKNOWN"
	// ErrUnreachable: no connection to the sidecar could be made: nothing was sent, so nothing happened.
	ErrUnreachable Reason = "UNREACHABLE"
	// ErrClientClosed: the client was closed, so that nothing was sent, or a call that changes nothing was cut off: open a new one.
	ErrClientClosed Reason = "CLIENT_CLOSED"
	// ErrNotRetryable: what was given to [Retry] is not about a mutation.
	ErrNotRetryable Reason = "NOT_RETRYABLE"
)

// INVALID_ARGUMENT: the request can never work; [Error.Field] names what to change.
const (
	// ErrInvalidField: a field has a value that can never work.
	ErrInvalidField Reason = "INVALID_FIELD"
	// ErrInvalidName: a slot's or namespace's name breaks the naming rules.
	ErrInvalidName Reason = "INVALID_NAME"
	// ErrInvalidFilter: a filter is empty, too deep, or compares with NaN.
	ErrInvalidFilter Reason = "INVALID_FILTER"
	// ErrInvalidBody: a body is not what its content type says.
	ErrInvalidBody Reason = "INVALID_BODY"
	// ErrInvalidPageToken: a page token does not belong to this query.
	ErrInvalidPageToken Reason = "INVALID_PAGE_TOKEN"
	// ErrUnknownField: the sidecar is older than the client and does not know a field of the request.
	ErrUnknownField Reason = "UNKNOWN_FIELD"
	// ErrRequestIDReused: the request id was used for other content.
	ErrRequestIDReused Reason = "REQUEST_ID_REUSED"
	// ErrBodyTooLarge: the body is larger than the namespace allows; `size` and `limit` are in the metadata.
	ErrBodyTooLarge Reason = "BODY_TOO_LARGE"
	// ErrSettingAboveCap: the server's rules do not allow a setting that high.
	ErrSettingAboveCap Reason = "SETTING_ABOVE_CAP"
	// ErrDimensionMismatch: a vector has another dimension than those of the namespace; `expected` and `given` are in the
	// metadata.
	ErrDimensionMismatch Reason = "DIMENSION_MISMATCH"
)

// NOT_FOUND: what was asked for is not there.
const (
	// ErrSlotNotFound: no live slot has this name.
	ErrSlotNotFound Reason = "SLOT_NOT_FOUND"
	// ErrVersionNotFound: the slot does not keep this version (any more).
	ErrVersionNotFound Reason = "VERSION_NOT_FOUND"
	// ErrTurnNotFound: nothing is known of the turn.
	ErrTurnNotFound Reason = "TURN_NOT_FOUND"
	// ErrNamespaceNotFound: the namespace holds nothing and is not configured.
	ErrNamespaceNotFound Reason = "NAMESPACE_NOT_FOUND"
)

// ALREADY_EXISTS and ABORTED: another change came first.
const (
	// ErrSlotExists: the slot exists though a new one was asked for ([IfAbsent]).
	ErrSlotExists Reason = "SLOT_EXISTS"
	// ErrRevisionMismatch: the slot is not at the expected revision ([IfRevision]); see [Error.CurrentRevision].
	ErrRevisionMismatch Reason = "REVISION_MISMATCH"
)

// RESOURCE_EXHAUSTED: a limit was reached.
const (
	// ErrSlotLimitReached: the namespace is full: forget a slot, raise its slot limit, or let it evict.
	ErrSlotLimitReached Reason = "SLOT_LIMIT_REACHED"
	// ErrStoreFull: the store, a root of it, or the disk is full.
	ErrStoreFull Reason = "STORE_FULL"
	// ErrReplyBudget: the item alone does not fit into a reply.
	ErrReplyBudget Reason = "REPLY_BUDGET"
	// ErrInjectionBudget: neither the body nor a summary fits into the injection.
	ErrInjectionBudget Reason = "INJECTION_BUDGET"
)

// FAILED_PRECONDITION and PERMISSION_DENIED: it cannot work in the present state.
const (
	// ErrUntrustedOrigin: a tool or a model wrote the body, or nobody says who, and the call wants no such body.
	ErrUntrustedOrigin Reason = "UNTRUSTED_ORIGIN"
	// ErrNotText: the body is no text, and the slot has no summary.
	ErrNotText Reason = "NOT_TEXT"
	// ErrStaleAttempt: the attempt of a task is over, or has not begun; nothing was changed.
	ErrStaleAttempt Reason = "STALE_ATTEMPT"
	// ErrContentTypeMismatch: appending or patching does not fit the slot's content type.
	ErrContentTypeMismatch Reason = "CONTENT_TYPE_MISMATCH"
	// ErrTooManyMatches: more slots match than the caller allows; nothing was forgotten. `matches` is in the metadata.
	ErrTooManyMatches Reason = "TOO_MANY_MATCHES"
	// ErrNamespaceNotEmpty: the namespace holds slots: delete it with [Force].
	ErrNamespaceNotEmpty Reason = "NAMESPACE_NOT_EMPTY"
	// ErrStoreReplaced: a page token belongs to another store, or to the store before a restore: begin again.
	ErrStoreReplaced Reason = "STORE_REPLACED"
	// ErrBackupUnsupported: the store lives in RAM and has no file to copy.
	ErrBackupUnsupported Reason = "BACKUP_UNSUPPORTED"
	// ErrIndexNotEnabled: the namespace keeps no index of the kind that the call needs; the message tells how to enable it.
	ErrIndexNotEnabled Reason = "INDEX_NOT_ENABLED"
	// ErrIndexOutdated: the namespace's vectors were made by another model than the server has now.
	ErrIndexOutdated Reason = "INDEX_OUTDATED"
)

// UNAVAILABLE, DEADLINE_EXCEEDED, INTERNAL and DATA_LOSS: the sidecar could not answer.
const (
	// ErrStoreUnavailable: the store cannot answer now, also after retries.
	ErrStoreUnavailable Reason = "STORE_UNAVAILABLE"
	// ErrOverloaded: the server refused the call because it has too much to do; it was not begun.
	ErrOverloaded Reason = "OVERLOADED"
	// ErrErasePending: the slots are forgotten; wiping their bytes waits and resumes by itself. Nothing has to be repeated.
	ErrErasePending Reason = "ERASE_PENDING"
	// ErrIndexUnavailable: the index cannot answer now. It also stands for ErrEmbedderUnavailable.
	ErrIndexUnavailable Reason = "INDEX_UNAVAILABLE"
	// ErrEmbedderUnavailable: what makes vectors of texts cannot be reached: search by words, or send a vector.
	ErrEmbedderUnavailable Reason = "EMBEDDER_UNAVAILABLE"
	// ErrIndexBehind: the index did not reach the revision of [MinRevision] in time.
	ErrIndexBehind Reason = "INDEX_BEHIND"
	// ErrInternal: the server failed in a way that it did not foresee; its log tells more under `error_id`.
	ErrInternal Reason = "INTERNAL"
	// ErrStoreCorrupt: the store's files are damaged.
	ErrStoreCorrupt Reason = "STORE_CORRUPT"
)
