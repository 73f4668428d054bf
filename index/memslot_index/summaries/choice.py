"""Which summariser a server has: it is imported when it is chosen, and not before."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from memslot_index.summaries.base import SummariserMissing, SummariserRefused

if TYPE_CHECKING:
    from memslot_index.summaries.base import Summariser

_NEEDS = {"none": (), "extractive": ("numpy", "icu4py.breakers"), "openai": ("httpx",)}
KINDS = tuple(_NEEDS)
_EXTRAS = {"extractive": "summaries", "openai": "openai"}


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
    if settings.kind not in KINDS:
        raise SummariserRefused(f"summariser {settings.kind!r} is none of {', '.join(KINDS)}")
    for module in _NEEDS[settings.kind]:
        try:
            import_module(module)
        except ImportError as error:
            remedy = f"pip install 'memslot[{_EXTRAS[settings.kind]}]'"
            raise SummariserMissing(f"the summariser {settings.kind!r} needs a package: {remedy} ({error})") from error
    if settings.kind == "openai":
        from memslot_index.embedders.endpoint import EndpointRefused, checked_key, checked_url  # noqa: PLC0415 - imported when chosen

        try:
            checked_url(settings.openai_url)
            checked_key(settings.openai_key_env)
        except EndpointRefused as error:
            raise SummariserRefused(str(error)) from None


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
