"""The packages depend on each other in one direction."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HOMES = {
    "memslot": ROOT / "clients/python/memslot",
    "memslot_index": ROOT / "index/memslot_index",
    "memslot_sidecar": ROOT / "sidecar/memslot_sidecar",
}
MAY_IMPORT: dict[str, set[str]] = {
    "memslot": set(),
    "memslot_index": set(),
    "memslot_sidecar": {"memslot", "memslot_index"},
}
# The store in the caller's process: it imports the sidecar when it is opened, in a function of this module.
EMBEDDED = "memslot/_transport/embedded.py"


def _run_at_import(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield the nodes that run when a module is imported: no function bodies, nothing for type checkers only."""
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        type_checking = isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")
        waiting.extend(node.orelse if isinstance(node, ast.If) and type_checking else ast.iter_child_nodes(node))
        yield node


def _packages(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").split(".")[0]


def _violations(package: str) -> list[str]:
    forbidden = HOMES.keys() - MAY_IMPORT[package] - {package}
    found = []
    for path in sorted(HOMES[package].rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        name = path.relative_to(HOMES[package].parent).as_posix()
        nodes = _run_at_import(tree) if name == EMBEDDED else ast.walk(tree)
        found += [f"{name} imports {other}" for other in _packages(nodes) if other in forbidden]
    return found


@pytest.mark.parametrize("package", sorted(HOMES))
def test_imports_point_one_way(package: str) -> None:
    """Client and index import neither each other nor the sidecar, in no function either; the sidecar may import both."""
    assert _violations(package) == []


@pytest.mark.parametrize(
    "text", ["import memslot_sidecar.cli", "try:\n  from memslot_sidecar import cli\nexcept E: pass"]
)
def test_an_import_is_found_wherever_it_runs(text: str) -> None:
    """The search sees imports below conditions, and leaves out those of functions and of type checkers."""
    assert "memslot_sidecar" in _packages(_run_at_import(ast.parse(text)))
    below = "def f():\n  import memslot_sidecar\nif TYPE_CHECKING:\n  import memslot_sidecar"
    assert "memslot_sidecar" not in _packages(_run_at_import(ast.parse(below)))
