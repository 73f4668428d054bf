"""The registry and the shape of the services."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from tests.sidecar.services.served import DEFAULTS, Facts

import memslot_sidecar.services
from memslot.v1 import admin_service_pb2, agent_service_pb2, namespace_service_pb2, slot_service_pb2
from memslot_sidecar.operations.context import Context
from memslot_sidecar.rules import Rules
from memslot_sidecar.services.registry import methods
from memslot_sidecar.stores.ram import RamStore

FOLDER = Path(memslot_sidecar.services.__file__).parent
MODULES = (slot_service_pb2, namespace_service_pb2, agent_service_pb2, admin_service_pb2)


def test_every_declared_rpc_is_served() -> None:
    """What the contract declares is what the registry has, with the contract's types."""
    declared = {
        (service.full_name, method.name): (method.input_type.full_name, method.output_type.full_name)
        for module in MODULES
        for service in module.DESCRIPTOR.services_by_name.values()
        for method in service.methods
    }
    found = {
        (method.service, method.name): (
            method.request_type.DESCRIPTOR.full_name,
            method.response_type.DESCRIPTOR.full_name,
        )
        for method in methods(Context(RamStore(), Rules(DEFAULTS)), Facts())
    }
    assert found == declared
    assert [m.name for m in methods(Context(RamStore(), Rules(DEFAULTS)), Facts()) if m.server_stream] == [
        "Backup",
        "Reindex",
    ]


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*_service.py")), ids=lambda path: path.stem)
def test_an_rpc_parses_calls_and_answers(path: Path) -> None:
    """No RPC takes more than ten lines, and none handles errors."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Try)]
    for node in ast.walk(tree):
        if isinstance(node, ast.AsyncFunctionDef):
            first, last = node.body[1], node.body[-1]
            assert (last.end_lineno or 0) - first.lineno < 10, node.name
