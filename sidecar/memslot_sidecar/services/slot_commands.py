"""Mutations of slots: request messages to commands. What only the store can judge is left to operations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from memslot.v1 import slot_service_pb2 as pb
from memslot_sidecar.errors import InvalidField
from memslot_sidecar.operations.blaming import blaming
from memslot_sidecar.operations.commands import (
    CheckCommand,
    CommitStep,
    ForgetCommand,
    ForgetMatchingCommand,
    UpdateInfoCommand,
    WriteCommand,
)
from memslot_sidecar.services.conditions import precondition_of, to_expiry, to_precondition
from memslot_sidecar.services.enums import MODES, ORIGINS, known
from memslot_sidecar.services.filter_parsing import parse_filter
from memslot_sidecar.services.scalars import to_scalars


def write_command(request: pb.WriteRequest, path: str = "") -> WriteCommand:
    """The command of a write; ``path`` is where the message stands in a larger one. Raises InvalidField."""
    return WriteCommand(
        namespace=request.namespace,
        name=request.name,
        body=request.body,
        content_type=request.content_type,
        description=request.description if request.HasField("description") else None,
        task_type=request.task_type if request.HasField("task_type") else None,
        tags=tuple(request.tags),
        attributes=to_scalars(request.attributes, f"{path}attributes"),
        importance=request.importance if request.HasField("importance") else None,
        pinned=request.pinned if request.HasField("pinned") else None,
        origin=known(ORIGINS, request.origin, f"{path}origin"),
        expiry=to_expiry(request, path),
        precondition=precondition_of(request, path),
        mode=known(MODES, request.mode, f"{path}mode"),
        vector=tuple(request.vector),
        summary=request.summary,
    )


def update_info_command(request: pb.UpdateInfoRequest) -> UpdateInfoCommand:
    """The command of an update: of ``info`` only what the mask names. Raises InvalidField."""
    fields = frozenset(request.update_mask.paths)
    named: dict[str, Any] = {key: getattr(request.info, key) for key in _PLAIN & fields}
    if "tags" in fields:
        named["tags"] = tuple(request.info.tags)
    if "attributes" in fields:
        named["attributes"] = to_scalars(request.info.attributes, "info.attributes")
    if "origin" in fields:
        named["origin"] = known(ORIGINS, request.info.origin, "info.origin")
    return UpdateInfoCommand(
        namespace=request.namespace,
        name=request.name,
        fields=fields,
        expiry=to_expiry(request),
        precondition=precondition_of(request),
        **named,
    )


_PLAIN = frozenset({"content_type", "description", "task_type", "importance", "pinned"})


def forget_command(request: pb.ForgetRequest, path: str = "") -> ForgetCommand:
    """The command of a forget. Raises InvalidField."""
    return ForgetCommand(request.namespace, request.name, precondition_of(request, path), request.erase)


def forget_matching_command(request: pb.ForgetMatchingRequest) -> ForgetMatchingCommand:
    """The command of a forget of many. Raises InvalidField, InvalidFilter."""
    filtered = request.HasField("filter")
    if filtered and request.all:
        raise InvalidField("filter and all are both set: choose one", field="all")
    if not filtered and not request.all:
        raise InvalidField("neither filter nor all is set: to forget everything say all", field="filter")
    return ForgetMatchingCommand(
        namespace=request.namespace,
        filter=parse_filter(request.filter) if filtered else None,
        recursive=request.recursive,
        max=request.max,
        allow_partial=request.allow_partial,
        erase=request.erase,
    )


def commit_steps(request: pb.CommitRequest) -> Sequence[CommitStep]:
    """The steps of a commit. Raises InvalidField with the path and ``op_index``."""
    steps = []
    for index, operation in enumerate(request.operations):
        with blaming(index):
            steps.append(_step(operation, f"operations[{index}]"))
    return steps


def _step(operation: pb.CommitOperation, path: str) -> CommitStep:
    match operation.WhichOneof("operation"):
        case "write":
            _check_bare(operation.write, f"{path}.write.")
            return write_command(operation.write, f"{path}.write.")
        case "forget":
            _check_bare(operation.forget, f"{path}.forget.")
            return forget_command(operation.forget, f"{path}.forget.")
        case "check":
            condition = to_precondition(operation.check.precondition, f"{path}.check.precondition")
            return CheckCommand(operation.check.name, condition)
        case None:
            raise InvalidField(f"{path} is not set: set one of write, forget, check", field=path)


def _check_bare(message: pb.WriteRequest | pb.ForgetRequest, path: str) -> None:
    for field in ("namespace", "request_id"):
        if getattr(message, field):
            raise InvalidField(f"{path}{field} must be empty: that of the commit counts", field=f"{path}{field}")
