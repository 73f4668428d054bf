"""Whether this server can do what a namespace is being set to: what it cannot is refused at once, with the remedy.

What was set before, or is inherited, is not looked at here. It goes on as far as it can, and searches and Stats say what is missing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memslot_index.embedders.base import EmbedderError
from memslot_index.summaries.base import SummariserError
from memslot_sidecar.errors import InvalidField
from memslot_sidecar.finding.comparing import check_installed
from memslot_sidecar.finding.summary import SUMMARISING
from memslot_sidecar.model import NamespaceSettings, SummaryMode

if TYPE_CHECKING:
    from memslot_sidecar.finding.finder import Finder
    from memslot_sidecar.finding.models import Models
    from memslot_sidecar.finding.summaries import Summaries


async def check_served(finder: Finder | None, settings: NamespaceSettings) -> None:
    """Raises InvalidField when settings choose what this server does not have. Loads libraries, which may take seconds, but holds up
    nobody; no service is asked."""
    await check_installed(settings)
    if finder is None:
        return
    if settings.embedder is not None:
        await _check_embedder(finder.models, settings.embedder)
    if settings.summary_mode is not None:
        await _check_summary(finder.summaries, settings.summary_mode)


async def _check_embedder(models: Models, name: str) -> None:
    try:
        await models.check(name)
    except EmbedderError as error:
        raise _not_here("settings.embedder", name, error) from None


async def _check_summary(summaries: Summaries, mode: SummaryMode) -> None:
    source = SUMMARISING.get(mode)
    if source is None:
        return
    try:
        await summaries.check(source)
    except SummariserError as error:
        raise _not_here("settings.summary_mode", mode.name, error) from None


def _not_here(field: str, value: str, error: Exception) -> InvalidField:
    return InvalidField(f"{field} is '{value}', which this server does not have: {error}", field=field)
