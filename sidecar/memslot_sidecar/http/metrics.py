"""/metrics: what is counted anyway, in the form that Prometheus scrapes. Labels are methods, codes and projections: nothing that a
caller made up, so that neither their number nor what they tell can grow."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from prometheus_client import ProcessCollector, exposition
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.openmetrics import exposition as openmetrics
from prometheus_client.registry import Collector

from memslot_sidecar.app import Sidecar
from memslot_sidecar.finding.finder import PROJECTION
from memslot_sidecar.health import Health
from memslot_sidecar.http.answers import Answer, Asked, Place, typed
from memslot_sidecar.traffic import Traffic

METRICS = b"/metrics"
"""The path."""

_OPENMETRICS = b"application/openmetrics-text"


def places(sidecar: Sidecar, health: Health, traffic: Traffic) -> dict[bytes, Place]:
    """The place of the metrics."""
    process = ProcessCollector(registry=None)

    async def scraped(asked: Asked) -> Answer:
        stored = await _store(sidecar) if health.serving else []
        told: Any = _Scrape([*process.collect(), *_process(sidecar, health, traffic), *stored])
        if _OPENMETRICS in asked.headers.get(b"accept", b""):
            encode: Any = openmetrics.generate_latest
            return typed(encode(told), openmetrics.CONTENT_TYPE_LATEST.encode())
        return typed(exposition.generate_latest(told), exposition.CONTENT_TYPE_PLAIN_0_0_4.encode())

    return {METRICS: Place("GET", scraped)}


class _Scrape(Collector):
    """What one scrape tells."""

    def __init__(self, told: Sequence[Metric]) -> None:
        self._told = told

    def collect(self) -> Iterable[Metric]:
        return self._told


def _process(sidecar: Sidecar, health: Health, traffic: Traffic) -> list[Metric]:
    """What needs no store."""
    counted = sidecar.facts.counters()
    info = GaugeMetricFamily("memslot_build_info", "Which memslot this is.", labels=("version", "store"))
    info.add_metric((sidecar.facts.version, sidecar.config.store), 1)
    calls = CounterMetricFamily(
        "memslot_calls", "Calls that were answered, by method and gRPC code.", labels=("service", "method", "code")
    )
    for (name, code), count in sorted(counted.calls.items()):
        service, _, method = name.partition("/")
        calls.add_metric((service, method, code), count)
    return [
        info,
        calls,
        _gauge("memslot_serving", "1 while calls are served: after the start, until the drain.", int(health.serving)),
        _gauge("memslot_calls_under_way", "Calls that are not answered yet.", traffic.under_way),
        _counter("memslot_slots_overwritten", "Slots that were overwritten.", counted.overwritten),
        _counter("memslot_slots_evicted", "Slots that were evicted.", counted.evicted),
        _counter("memslot_slots_expired", "Slots that expired and were swept.", counted.expired),
        _counter("memslot_audit_events_written", "Audit events that were written.", counted.audit_written),
        _counter(
            "memslot_audit_events_dropped", "Audit events that the overflow policy dropped.", counted.audit_dropped
        ),
        _counter("memslot_audit_write_failures", "Writes of audit events that failed.", sidecar.audit.stats.failures),
        _gauge("memslot_audit_events_waiting", "Audit events that wait to be written.", counted.audit_queued),
    ]


async def _store(sidecar: Sidecar) -> list[Metric]:
    """What is stored and indexed."""
    store, finder = sidecar.store, sidecar.finder
    usage, revision = store.usage(), store.revision
    index = await finder.overview()
    summaries, summary_bytes = await finder.summaries.stats()
    marks = dict(sidecar.facts.counters().projections)
    if finder.watermark is not None:
        marks[PROJECTION] = finder.watermark
    lag = GaugeMetricFamily(
        "memslot_projection_lag_revisions", "Revisions that a projection has still to follow.", labels=("projection",)
    )
    for name, watermark in sorted(marks.items()):
        lag.add_metric((name,), max(0, revision - watermark))
    return [
        lag,
        _gauge("memslot_revision", "Revision of the store.", revision),
        _gauge("memslot_namespaces", "Namespaces that are stored.", usage.namespaces),
        _gauge("memslot_slots", "Slots that are stored, expired ones that were not swept yet included.", usage.slots),
        _gauge("memslot_stored_bytes", "Size of bodies, versions, vectors and summaries sent.", usage.stored_bytes),
        _gauge("memslot_store_file_bytes", "Size of the store's files.", store.file_bytes()),
        _gauge("memslot_erase_pending", "1 while an erasure waits to be done.", int(store.erase_pending)),
        _gauge("memslot_index_documents", "Slots that are indexed.", index.documents),
        _gauge("memslot_index_waiting", "Slots that wait for a vector.", index.waiting),
        _gauge("memslot_index_file_bytes", "Size of the index's files.", index.file_bytes),
        _gauge("memslot_summaries", "Summaries that are kept.", summaries),
        _gauge("memslot_summaries_bytes", "Size of the summaries that are kept.", summary_bytes),
    ]


def _gauge(name: str, about: str, value: float) -> Metric:
    return GaugeMetricFamily(name, about, value=value)


def _counter(name: str, about: str, value: float) -> Metric:
    return CounterMetricFamily(name, about, value=value)
