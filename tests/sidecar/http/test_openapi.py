"""/openapi.json tells what is there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from openapi_spec_validator import validate

from memslot import proto_path
from memslot_sidecar.app import Sidecar
from memslot_sidecar.config import Config
from memslot_sidecar.http.openapi.comments import comments
from memslot_sidecar.http.openapi.document import document

SIDECAR = Sidecar(Config(store="ram"))


@pytest.fixture(scope="module")
def told() -> Any:
    """The document."""
    return document(SIDECAR.routes.values(), "1", comments(Path(proto_path())))


def test_it_is_openapi(told: Any) -> None:
    """The document is valid OpenAPI 3.1."""
    assert told["openapi"] == "3.1.0"
    validate(told)


def test_every_unary_method_is_there_with_its_words(told: Any) -> None:
    """Each unary method is a path, none that streams is, and methods, messages and fields say what the contract says of them."""
    for route in SIDECAR.routes.values():
        assert (route.path in told["paths"]) is not route.method.server_stream
        if not route.method.server_stream:
            assert told["paths"][route.path]["post"]["description"]
    for name, schema in told["components"]["schemas"].items():
        if name.startswith("memslot.v1."):
            assert schema["description"], name
            assert all(field["description"] for field in schema.get("properties", {}).values()), name
    read = told["components"]["schemas"]["memslot.v1.ReadRequest"]["properties"]
    assert read["ifRevisionNot"]["format"] == "int64"


def test_it_is_whole_without_the_comments() -> None:
    """Where the .proto files are missing there are no words, and everything else."""
    validate(document(SIDECAR.routes.values(), "1", comments(Path("/nowhere"))))


def test_comments_are_read_where_they_stand(tmp_path: Path) -> None:
    """A comment belongs to the statement below it, one that stands alone to nothing."""
    folder = tmp_path / "memslot" / "v1"
    folder.mkdir(parents=True)
    text = """
        // A service.
        service S {
          // Calls.
          // Twice.
          rpc Call(A) returns (B);
        }
        // Lost.

        // A message.
        message A {
          // A choice.
          oneof kind {
            // A text.
            string text = 1;
          }
          // A map.
          map<string, B> map = 2;
        }
        message B {}
        // An enum.
        enum E {
          // None.
          E_NONE = 0;
        }
    """
    folder.joinpath("a.proto").write_text(text)
    assert comments(tmp_path) == {
        "memslot.v1.S": "A service.",
        "memslot.v1.S.Call": "Calls.\nTwice.",
        "memslot.v1.A": "A message.",
        "memslot.v1.A.kind": "A choice.",
        "memslot.v1.A.text": "A text.",
        "memslot.v1.A.map": "A map.",
        "memslot.v1.E": "An enum.",
        "memslot.v1.E.E_NONE": "None.",
    }
