"""Conditions on a slot before a mutation."""

from __future__ import annotations

from memslot_sidecar.errors import InvalidField, RevisionMismatch, SlotExists
from memslot_sidecar.model import SlotRecord
from memslot_sidecar.operations.commands import IfAbsent, IfRevision, Precondition


def check(precondition: Precondition | None, name: str, found: SlotRecord | None, field: str = "precondition") -> None:
    """Raises SlotExists or RevisionMismatch, with the current revision, unless the condition holds for the live slot ``found``."""
    current = 0 if found is None else found.revision
    match precondition:
        case IfAbsent() if found is not None:
            raise SlotExists(
                f"slot '{name}' exists at revision {current}: overwrite it without if_absent, or with if_revision {current}",
                field=f"{field}.if_absent",
                metadata={"name": name, "current_revision": str(current)},
            )
        case IfRevision(revision) if revision != current:
            state = (
                f"is at revision {current}, not at {revision}"
                if found
                else f"does not exist, so it is not at revision {revision}"
            )
            raise RevisionMismatch(
                f"slot '{name}' {state}: read it again and decide anew",
                field=f"{field}.if_revision",
                metadata={"name": name, "current_revision": str(current), "expected_revision": str(revision)},
            )


def validate(precondition: Precondition | None, field: str = "precondition") -> None:
    """Raises InvalidField for a revision that no slot can have."""
    if isinstance(precondition, IfRevision) and precondition.revision < 1:
        raise InvalidField(
            f"{field}.if_revision is {precondition.revision}: revisions start at 1, use if_absent for a slot that must not exist",
            field=f"{field}.if_revision",
        )
