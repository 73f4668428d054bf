"""Namespaces and their settings, both ways."""

from __future__ import annotations

from typing import Any

from memslot.v1 import namespace_service_pb2 as pb
from memslot_sidecar.errors import InvalidField
from memslot_sidecar.model import EffectiveSettings, NamespaceSettings
from memslot_sidecar.operations.commands import UpdateNamespaceCommand
from memslot_sidecar.operations.namespaces import NamespaceView
from memslot_sidecar.services.enums import SETTINGS, known
from memslot_sidecar.services.moments import fill_duration, fill_timestamp, span_ms

_PLAIN = (
    "slot_limit", "body_limit_bytes", "ttl_refresh_on_read", "versions_kept", "erase_on_forget", "embedder", "summary_above_bytes",
    "summary_below_rank", *SETTINGS,
)  # fmt: skip
_SPANS = ("ttl_default", "ttl_max")
_FIELDS = frozenset({*_PLAIN, *_SPANS})


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
            given[name] = known(SETTINGS[name], value, f"{path}.{name}") if name in SETTINGS else value
    return given


def fill_settings(message: pb.NamespaceSettings, settings: NamespaceSettings | EffectiveSettings) -> None:
    """Sets a message of a reply; what is inherited or unbounded is left out."""
    for name in _PLAIN:
        value = getattr(settings, name)
        if value is not None:
            setattr(message, name, value)
    for name in _SPANS:
        value = getattr(settings, _domain_name(name))
        if value is not None:
            fill_duration(getattr(message, name), value)


def fill_namespace(message: pb.Namespace, view: NamespaceView) -> None:
    """A namespace with its settings and use."""
    message.name = view.record.path
    message.settings.SetInParent()
    fill_settings(message.settings, view.record.settings)
    fill_settings(message.effective_settings, view.effective)
    message.slot_count = view.live_count
    message.stored_bytes = view.record.stored_bytes
    fill_timestamp(message.create_time, view.record.created_ms)


def _domain_name(field: str) -> str:
    return f"{field}_ms" if field in _SPANS else field
