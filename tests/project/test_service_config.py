"""One retry policy for every client."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memslot._core.raw import unary_methods
from memslot._transport.channel import SERVICE_CONFIG

ROOT = Path(__file__).resolve().parents[2]
CLIENTS = ROOT / "clients"
TRUTH: dict[str, Any] = json.loads((CLIENTS / "service_config.json").read_text(encoding="utf-8"))
_BUILT = {"node_modules", "dist", "dist-checks", "target", "build"}
COPIES = [
    path
    for path in sorted(CLIENTS.glob("*/**/service_config.json"))
    if not _BUILT.intersection(path.relative_to(CLIENTS).parts)
]


def test_the_python_client_retries_by_it() -> None:
    """The Python client's policy is the one of clients/service_config.json."""
    assert SERVICE_CONFIG == TRUTH


@pytest.mark.parametrize("copy", COPIES, ids=lambda path: path.relative_to(CLIENTS).as_posix())
def test_every_copy_is_the_same(copy: Path) -> None:
    """What a package carries along is clients/service_config.json."""
    assert json.loads(copy.read_text(encoding="utf-8")) == TRUTH


def test_every_service_is_retried() -> None:
    """No service of the contract is left out."""
    services = {f"memslot.v1.{name.partition('/')[0]}" for name in unary_methods()}
    assert {name["service"] for method in TRUTH["methodConfig"] for name in method["name"]} == services
