"""Memory for LLM agents that lives outside the prompt: the client of the memslot sidecar.

    import memslot

    with memslot.connect(namespace="acme/support/task-42") as memory:
        memory.write("customer", {"name": "Ada", "plan": "pro"}, tags=["crm"])
        print([entry.name for entry in memory.lookup()])
        print(memory.read("customer").value)

``memslot.aio.connect`` gives the same with ``await``, ``memslot.embedded`` the same without a server. Names are imported on first use, so
that ``import memslot`` costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memslot import aio, errors, where
    from memslot.accounting import Amount, SavingProblem, TokenReport, TurnAccount, Usage
    from memslot.acting import Acted, Action, FoundNames, InjectedSlot, Reject
    from memslot.batch import Batch
    from memslot.batch_report import AttemptReport, BatchReport, ItemReport
    from memslot.batch_run import run_batch
    from memslot.cards import PromptCard
    from memslot.client import Memory, connect
    from memslot.details import WriteDetails
    from memslot.diagnosis import DiagnosedStep, Diagnosis, DiagnosisFinding
    from memslot.enums import (
        ActionOutcome,
        IndexMode,
        Language,
        Match,
        MissingSaving,
        OnRead,
        Order,
        Origin,
        Outcome,
        Overflow,
        ReceiptWarning,
        SearchMode,
        StepVerdict,
        SummaryMode,
        SummarySource,
        TurnStep,
        VectorIndexKind,
        Verdict,
    )
    from memslot.errors import (
        BodyTooLarge,
        ClientClosed,
        DataDirInUse,
        ErasePending,
        IndexNotEnabled,
        InvalidRequest,
        MemslotError,
        NotFound,
        OutcomeUnknown,
        RevisionMismatch,
        SlotExists,
        SlotLimitReached,
        SlotNotFound,
        StaleAttempt,
        StartFailed,
        Unavailable,
        Unreachable,
    )
    from memslot.expiry import INHERIT, NEVER
    from memslot.hits import Hit, SearchResult
    from memslot.in_process import EmbeddedMemory, embedded
    from memslot.injections import Injection, LeftOut
    from memslot.inspections import Inspection, PromptFinding
    from memslot.messages import alternating
    from memslot.names import namespace, split_namespace
    from memslot.protos import proto_path
    from memslot.results import (
        BackupInfo,
        Committed,
        Entry,
        Forgotten,
        IndexStats,
        IntegrityReport,
        LookupPage,
        Namespace,
        NamespaceSettings,
        Receipt,
        Reindexing,
        ServerInfo,
        Slot,
        SlotInfo,
        Stats,
        Summary,
        VersionInfo,
    )

_MODULES = ("aio", "errors", "where")
_NAMES = {
    "accounting": ("Amount", "SavingProblem", "TokenReport", "TurnAccount", "Usage"),
    "acting": ("Acted", "Action", "FoundNames", "InjectedSlot", "Reject"),
    "batch": ("Batch",),
    "batch_report": ("AttemptReport", "BatchReport", "ItemReport"),
    "batch_run": ("run_batch",),
    "cards": ("PromptCard",),
    "client": ("Memory", "connect"),
    "details": ("WriteDetails",),
    "diagnosis": ("DiagnosedStep", "Diagnosis", "DiagnosisFinding"),
    "enums": (
        "ActionOutcome",
        "IndexMode",
        "Language",
        "Match",
        "MissingSaving",
        "OnRead",
        "Order",
        "Origin",
        "Outcome",
        "Overflow",
        "ReceiptWarning",
        "SearchMode",
        "StepVerdict",
        "SummaryMode",
        "SummarySource",
        "TurnStep",
        "VectorIndexKind",
        "Verdict",
    ),
    "errors": (
        "BodyTooLarge",
        "ClientClosed",
        "DataDirInUse",
        "ErasePending",
        "IndexNotEnabled",
        "InvalidRequest",
        "MemslotError",
        "NotFound",
        "OutcomeUnknown",
        "RevisionMismatch",
        "SlotExists",
        "SlotLimitReached",
        "SlotNotFound",
        "StaleAttempt",
        "StartFailed",
        "Unavailable",
        "Unreachable",
    ),
    "expiry": ("INHERIT", "NEVER"),
    "hits": ("Hit", "SearchResult"),
    "in_process": ("EmbeddedMemory", "embedded"),
    "injections": ("Injection", "LeftOut"),
    "inspections": ("Inspection", "PromptFinding"),
    "messages": ("alternating",),
    "names": ("namespace", "split_namespace"),
    "protos": ("proto_path",),
    "results": (
        "BackupInfo",
        "Committed",
        "Entry",
        "Forgotten",
        "IndexStats",
        "IntegrityReport",
        "LookupPage",
        "Namespace",
        "NamespaceSettings",
        "Receipt",
        "Reindexing",
        "ServerInfo",
        "Slot",
        "SlotInfo",
        "Stats",
        "Summary",
        "VersionInfo",
    ),
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names}

__all__ = [
    "INHERIT",
    "NEVER",
    "Acted",
    "Action",
    "ActionOutcome",
    "Amount",
    "AttemptReport",
    "BackupInfo",
    "Batch",
    "BatchReport",
    "BodyTooLarge",
    "ClientClosed",
    "Committed",
    "DataDirInUse",
    "DiagnosedStep",
    "Diagnosis",
    "DiagnosisFinding",
    "EmbeddedMemory",
    "Entry",
    "ErasePending",
    "Forgotten",
    "FoundNames",
    "Hit",
    "IndexMode",
    "IndexNotEnabled",
    "IndexStats",
    "InjectedSlot",
    "Injection",
    "Inspection",
    "IntegrityReport",
    "InvalidRequest",
    "ItemReport",
    "Language",
    "LeftOut",
    "LookupPage",
    "Match",
    "Memory",
    "MemslotError",
    "MissingSaving",
    "Namespace",
    "NamespaceSettings",
    "NotFound",
    "OnRead",
    "Order",
    "Origin",
    "Outcome",
    "OutcomeUnknown",
    "Overflow",
    "PromptCard",
    "PromptFinding",
    "Receipt",
    "ReceiptWarning",
    "Reindexing",
    "Reject",
    "RevisionMismatch",
    "SavingProblem",
    "SearchMode",
    "SearchResult",
    "ServerInfo",
    "Slot",
    "SlotExists",
    "SlotInfo",
    "SlotLimitReached",
    "SlotNotFound",
    "StaleAttempt",
    "StartFailed",
    "Stats",
    "StepVerdict",
    "Summary",
    "SummaryMode",
    "SummarySource",
    "TokenReport",
    "TurnAccount",
    "TurnStep",
    "Unavailable",
    "Unreachable",
    "Usage",
    "VectorIndexKind",
    "Verdict",
    "VersionInfo",
    "WriteDetails",
    "aio",
    "alternating",
    "connect",
    "embedded",
    "errors",
    "namespace",
    "proto_path",
    "run_batch",
    "split_namespace",
    "where",
]


def __getattr__(name: str) -> object:
    if name in _MODULES:
        return importlib.import_module(f"memslot.{name}")
    if name in _HOMES:
        found: object = getattr(importlib.import_module(f"memslot.{_HOMES[name]}"), name)
        globals()[name] = found
        return found
    raise AttributeError(f"module 'memslot' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
