"""Namespaces and their settings, both ways."""

from __future__ import annotations

from typing import Any, cast

from google.protobuf.duration_pb2 import Duration

from memslot.v1 import namespace_service_pb2 as pb
from memslot_sidecar.errors import InvalidField
from memslot_sidecar.model import EffectiveSettings, NamespaceSettings
from memslot_sidecar.operations.commands import UpdateNamespaceCommand
from memslot_sidecar.operations.namespaces import NamespaceView
from memslot_sidecar.services.enums import OVERFLOWS, known
from memslot_sidecar.services.moments import span_ms, to_duration, to_timestamp

_PLAIN = ("slot_limit", "body_limit_bytes", "ttl_refresh_on_read", "versions_kept", "erase_on_forget")
_SPANS = ("ttl_default", "ttl_max")
_FIELDS = frozenset({*_PLAIN, *_SPANS, "overflow"})


def update_namespace_command(request: pb.UpdateNamespaceRequest) -> UpdateNamespaceCommand:
    """The command of an update; without a mask it takes the settings that are set. Raises InvalidField."""
    given = to_settings(request.settings, "settings")
    masked = request.update_mask.paths
    unknown = sorted(set(masked) - _FIELDS)
    if unknown:
        raise InvalidField(
            f"update_mask names '{unknown[0]}', which is no setting of a namespace: it may name {', '.join(sorted(_FIELDS))}",
            field="update_mask",
        )
    fields = masked or [descriptor.name for descriptor, _ in request.settings.ListFields()]
    return UpdateNamespaceCommand(request.namespace, NamespaceSettings(**given), frozenset(map(_domain_name, fields)))


def to_settings(message: pb.NamespaceSettings, path: str) -> dict[str, Any]:
    """The settings that are set, by their names in the domain. Raises InvalidField."""
    given: dict[str, Any] = {}
    for descriptor, value in message.ListFields():
        name = descriptor.name
        if name in _SPANS:
            given[_domain_name(name)] = span_ms(value, f"{path}.{name}")
        else:
            given[name] = known(OVERFLOWS, value, f"{path}.{name}") if name == "overflow" else value
    return given


def settings_message(settings: NamespaceSettings | EffectiveSettings) -> pb.NamespaceSettings:
    """The message; what is inherited or unbounded is left out."""
    return pb.NamespaceSettings(
        slot_limit=settings.slot_limit,
        body_limit_bytes=settings.body_limit_bytes,
        ttl_default=_span(settings.ttl_default_ms),
        ttl_max=_span(settings.ttl_max_ms),
        ttl_refresh_on_read=settings.ttl_refresh_on_read,
        versions_kept=settings.versions_kept,
        overflow=cast(Any, settings.overflow),
        erase_on_forget=settings.erase_on_forget,
    )


def namespace_message(view: NamespaceView) -> pb.Namespace:
    """A namespace with its settings and use."""
    return pb.Namespace(
        name=view.record.path,
        settings=settings_message(view.record.settings),
        effective_settings=settings_message(view.effective),
        slot_count=view.live_count,
        stored_bytes=view.record.stored_bytes,
        create_time=to_timestamp(view.record.created_ms),
    )


def _span(ms: int | None) -> Duration | None:
    return None if ms is None else to_duration(ms)


def _domain_name(field: str) -> str:
    return f"{field}_ms" if field in _SPANS else field
