"""Errors as the Connect protocol tells them."""

from __future__ import annotations

import base64
import json

import pytest

from memslot._google_rpc import error_details_pb2
from memslot_sidecar import errors
from memslot_sidecar.http import refusals
from memslot_sidecar.http.answers import STATUSES, failed, refused


def test_every_code_of_the_server_has_its_status() -> None:
    """The table of the Connect protocol, whole."""
    assert set(errors.CODES.values()) < set(STATUSES)
    assert len(STATUSES) == 16
    assert (STATUSES["NOT_FOUND"], STATUSES["ABORTED"]) == (("not_found", 404), ("aborted", 409))


def test_an_error_has_code_message_and_details() -> None:
    """What a client reads from a status in gRPC it reads from the JSON: reason, metadata, field, and when to try again."""
    error = errors.StoreUnavailable("later", retry_after_ms=1500, metadata={"key": "用户"})
    answer = failed(error)
    told = json.loads(answer.body)
    assert (answer.status, told["code"], told["message"]) == (503, "unavailable", "later")
    assert dict(answer.headers)[b"retry-after"] == b"2"
    first, *_ = told["details"]
    info = error_details_pb2.ErrorInfo.FromString(base64.b64decode(first["value"] + "=="))
    assert (first["type"], info.reason, dict(info.metadata)) == ("google.rpc.ErrorInfo", error.reason, {"key": "用户"})
    assert "=" not in first["value"]
    assert first["debug"] == {"reason": error.reason, "domain": "memslot", "metadata": {"key": "用户"}}


@pytest.mark.parametrize("kind", refusals.Refused.__subclasses__())
def test_refusals_have_the_same_form(kind: type[refusals.Refused]) -> None:
    """What HTTP itself refuses is told like an error of a call."""
    answer = refused(kind("why", (b"allow", b"POST")))
    told = json.loads(answer.body)
    assert (answer.status, told["code"], told["message"]) == (kind.status, kind.code, "why")
    assert (b"allow", b"POST") in answer.headers
    assert bool(kind.reason) == ("details" in told)
    assert told["code"] in {code for code, _ in STATUSES.values()}
