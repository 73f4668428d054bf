"""Which summariser a server has: it is imported when it is chosen, and not before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memslot_index.chosen import Needs, check_endpoint, check_kind
from memslot_index.summaries.base import SummariserMissing, SummariserRefused

if TYPE_CHECKING:
    from memslot_index.summaries.base import Summariser

_KINDS = {
    "none": Needs(),
    "extractive": Needs(("numpy", "icu4py.breakers"), "summaries"),
    "openai": Needs(("httpx",), "openai"),
}
KINDS = tuple(_KINDS)


@dataclass(frozen=True, slots=True)
class SummariserSettings:
    """How summaries are made. ``openai_key_env`` is the *name* of the environment variable that holds the API key; empty for none."""

    kind: str = "none"
    openai_url: str = "https://api.openai.com/v1"
    openai_model: str = "gpt-4o-mini"
    openai_key_env: str = "OPENAI_API_KEY"
    timeout_s: float = 60.0


def check_summariser(settings: SummariserSettings) -> None:
    """Raise SummariserMissing if this summariser's library cannot be imported here, SummariserRefused if a setting cannot be right.

    No endpoint is asked.
    """
    check_kind("summariser", settings.kind, _KINDS, refused=SummariserRefused, missing=SummariserMissing)
    if settings.kind == "openai":
        check_endpoint(settings.openai_url, settings.openai_key_env, refused=SummariserRefused)


def open_summariser(settings: SummariserSettings) -> Summariser | None:
    """Return the summariser, or None for ``none``. It is the caller's to close. Raises what `check_summariser` raises; nothing is asked yet."""
    check_summariser(settings)
    match settings.kind:
        case "extractive":
            from memslot_index.summaries.extractive import ExtractiveSummariser  # noqa: PLC0415

            return ExtractiveSummariser()
        case "openai":
            from memslot_index.embedders.endpoint import Endpoint  # noqa: PLC0415
            from memslot_index.summaries.model import ModelSummariser  # noqa: PLC0415

            endpoint = Endpoint(settings.openai_url, settings.openai_key_env, settings.timeout_s)
            return ModelSummariser(endpoint, settings.openai_model)
        case _:
            return None
