"""What a diagnosis of a turn says. Names, numbers and reasons, never a body."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memslot.enums import StepVerdict, TurnStep


@dataclass(frozen=True, slots=True)
class DiagnosisFinding:
    """One thing that was found. ``name`` is the slot that it is about, or empty; ``revision`` is 0 where there is none."""

    verdict: StepVerdict
    reason: str
    text: str
    name: str = ""
    revision: int = 0


@dataclass(frozen=True, slots=True)
class DiagnosedStep:
    """One of the five steps of a turn, and how it went: as badly as the worst of its findings."""

    step: TurnStep
    verdict: StepVerdict
    findings: Sequence[DiagnosisFinding]


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The steps in order, the first that broke (None when none did), and what is to be said of the turn in one sentence."""

    steps: Sequence[DiagnosedStep]
    first_broken: TurnStep | None
    summary: str
    turn: str
    revision: int

    @property
    def reasons(self) -> frozenset[str]:
        """The reasons of all findings."""
        return frozenset(finding.reason for step in self.steps for finding in step.findings)

    def __str__(self) -> str:
        lines = [self.summary]
        for step in self.steps:
            lines.append(f"{step.step.name.lower()}: {step.verdict.name.lower() if step.verdict else 'unknown'}")
            lines += [f"  {finding.text}" for finding in step.findings]
        return "\n".join(lines)
