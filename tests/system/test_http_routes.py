"""What each HTTP route of a served sidecar answers."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from openapi_spec_validator import validate
from prometheus_client.parser import text_string_to_metric_families
from tests.system.process import Served

from memslot._google_rpc import error_details_pb2
from memslot.v1 import slot_service_pb2 as pb

FLAGS = ("--listen", "127.0.0.1:0", "--http-listen", "127.0.0.1:0", "--metrics-listen", "0.0.0.0:0")
READ, WRITE = "/memslot.v1.SlotService/Read", "/memslot.v1.SlotService/Write"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A sidecar with all HTTP ports."""
    with Served("--data-dir", tmp_path_factory.mktemp("routes"), *FLAGS, "--slot-limit", "5000") as running:
        yield running.ready()


@pytest.fixture(scope="module")
def http(served: Served) -> Iterator[httpx.Client]:
    """A client of the port for calls."""
    with httpx.Client(base_url=served.addresses("http on")[0], trust_env=False) as client:
        yield client


def reason(answer: httpx.Response) -> str:
    """The reason that an error tells."""
    for detail in answer.json().get("details", []):
        if detail["type"] == "google.rpc.ErrorInfo":
            return error_details_pb2.ErrorInfo.FromString(base64.b64decode(detail["value"] + "==")).reason
    return ""


def test_answers_for_people_end_their_line(http: httpx.Client) -> None:
    """What a shell shows is followed by its prompt, not run into by it."""
    for answer in (
        http.post("/mem/write", json={"slot": "line", "value": "x"}),
        http.get("/mem/read", params={"slot": "line"}),
        http.post("/mem/forget", json={"slot": "line"}),
        http.get("/mem/read", params={"slot": "none"}),
        http.get("/nowhere"),
    ):
        assert answer.text.endswith("}\n")


@pytest.mark.parametrize("value", ["", "text 用户 😀 \u0001", None, True, 0, -1.5e300, [1, {"a": []}], {"": ""}])
def test_a_value_comes_back_as_it_was_written(http: httpx.Client, value: Any) -> None:
    """Texts, numbers, truth values, lists and objects: any JSON value is one."""
    assert http.post("/mem/write", json={"slot": "value", "value": value}).status_code == 200
    found = http.get("/mem/read?slot=value").json()
    assert (found["slot"], found["value"]) == ("value", value)
    assert found["content_type"] == ("text/plain" if isinstance(value, str) else "application/json")


def test_json_is_kept_digit_by_digit(http: httpx.Client) -> None:
    """Numbers of any length and the spaces between them are stored and shown as they were sent."""
    raw = '{"n": 123456789012345678901234567890.10,  "s":"\\ud800"}'
    sent = f'{{"value":{raw},"slot":"digits"}}'
    assert http.post("/mem/write", content=sent, headers={"content-type": "application/json"}).status_code == 200
    assert raw in http.get("/mem/read?slot=digits").text


@given(
    st.text(
        st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Cn", "Co", "Cf", "Zl", "Zp", "Zs"]),
        min_size=1,
        max_size=20,
    )
)
@example("a+b %2F&slot=x#?/\\\"'é用户😀")
def test_any_name_goes_through_the_query(http: httpx.Client, name: str) -> None:
    """Percent-encoding carries every name; what is stored is its NFC form."""
    written = http.post("/mem/write", json={"slot": name, "value": "v"})
    assert written.status_code == 200, written.text
    stored = written.json()["slot"]
    assert http.get("/mem/read", params={"slot": name}).json()["slot"] == stored
    assert http.post("/mem/forget", json={"slot": name}).json()["outcome"] == "FORGOTTEN"
    assert http.post("/mem/forget", json={"slot": name}).json()["outcome"] == "ABSENT"


def test_a_namespace_is_said_in_the_query_or_in_a_header(http: httpx.Client) -> None:
    """Each namespace has slots of its own; what is in the query goes before the header."""
    for value, where in (
        ("a", {"params": {"namespace": "acme/用户"}}),
        ("b", {"headers": {"memslot-namespace": "acme/b"}}),
    ):
        assert http.post("/mem/write", json={"slot": "space", "value": value}, **where).status_code == 200  # type: ignore[arg-type]
    header = {"memslot-namespace": "acme/b"}
    assert http.get("/mem/read?slot=space", headers=header).json()["value"] == "b"
    assert http.get("/mem/read?slot=space&namespace=acme%2F%E7%94%A8%E6%88%B7", headers=header).json()["value"] == "a"
    assert http.get("/mem/read", params={"slot": "space"}).status_code == 404


def test_bytes_are_shown_as_base64(served: Served, http: httpx.Client) -> None:
    """What is neither text nor JSON says so."""
    served.slots().Write(pb.WriteRequest(namespace="default", name="bytes", body=b"\xff\x00", content_type="image/png"))
    found = http.get("/mem/read?slot=bytes").json()
    assert (found["value"], found["encoding"]) == (base64.b64encode(b"\xff\x00").decode(), "base64")


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ('{"value":1}', "INVALID_FIELD"), ('{"slot":"x"}', "INVALID_FIELD"), ('{"slot":1,"value":1}', "INVALID_FIELD"),
        ('{"slot":"x","value":1,"ttl":"1s"}', "UNKNOWN_FIELD"), ('{"slot":"x","value":1,"slot":"y"}', "INVALID_FIELD"),
        ('{"slot":"x","value":"\\ud800"}', "INVALID_BODY"), ('{"slot":"\\ud800","value":1}', "INVALID_FIELD"),
        ('{"slot":"a\\u0000","value":1}', "INVALID_NAME"), ('{"slot":"x","value":NaN}', "INVALID_FIELD"),
        ('{"slot":"x","value":1}x', "INVALID_FIELD"), ("[]", "INVALID_FIELD"), ("", "INVALID_FIELD"), ('{"slot"', "INVALID_FIELD"),
        ('{"slot":"x","value":' + "[" * 101 + "]" * 101 + "}", "INVALID_BODY"),
        ('{"slot":"x","value":' + "[" * 100_000 + "}", "INVALID_FIELD"),
        ('{"slot":"x","value":"' + "a" * 5000 + '"}', "BODY_TOO_LARGE"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_write_is_told(http: httpx.Client, body: str, told: str) -> None:
    """The reasons are those of gRPC."""
    answer = http.post("/mem/write", content=body, headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["code"], reason(answer)) == (400, "invalid_argument", told)


@pytest.mark.parametrize(
    ("query", "told"),
    [("", "INVALID_NAME"), ("slot=", "INVALID_NAME"), ("slot=%ff", "INVALID_FIELD"), ("slot=a&slot=b", "INVALID_FIELD"),
     ("slot=a&nope=1", "UNKNOWN_FIELD"), ("slot=a&namespace=", "INVALID_NAME"), ("&".join("a" * 50), "INVALID_FIELD")],
)  # fmt: skip
def test_what_is_wrong_with_a_query_is_told(http: httpx.Client, query: str, told: str) -> None:
    """A query that says too little, too much or nothing that makes sense reads nothing."""
    answer = http.get(f"/mem/read?{query}")
    assert (answer.status_code, reason(answer)) == (400, told)


def test_the_simple_routes_name_what_the_caller_wrote(http: httpx.Client) -> None:
    """A field that they do not take by its name, and a slot that is missing as `slot`, not as the contract's `name`."""
    unknown = http.post("/mem/write", json={"slot": "x", "value": 1, "ttl": 5}).json()["message"]
    assert unknown == "the request has a field 'ttl' that this route does not take; it takes slot, value, request_id"
    assert http.get("/mem/read").json()["message"] == "slot is missing: ask for /mem/read?slot=NAME"


def test_protobuf_is_taken_as_well_as_json(http: httpx.Client) -> None:
    """With application/proto both ways are binary; errors are JSON all the same."""
    headers = {"content-type": "application/proto"}
    write = pb.WriteRequest(namespace="default", name="proto", body=b"\x00\xff")
    assert http.post(WRITE, content=write.SerializeToString(), headers=headers).status_code == 200
    found = http.post(
        READ, content=pb.ReadRequest(namespace="default", name="proto").SerializeToString(), headers=headers
    )
    assert found.headers["content-type"] == "application/proto"
    assert pb.ReadResponse.FromString(found.content).slot.body == b"\x00\xff"
    broken = http.post(READ, content=b"\xff", headers=headers)
    assert (broken.headers["content-type"], broken.json()["code"]) == ("application/json", "invalid_argument")


def test_errors_are_those_of_grpc(http: httpx.Client) -> None:
    """Missing slots, lost races and refused writes have code, HTTP status and reason of the Connect mapping."""
    ask: dict[str, Any] = {"namespace": "default", "name": "nobody"}
    missing = http.post(READ, json=ask)
    assert (missing.status_code, missing.json()["code"], reason(missing)) == (404, "not_found", "SLOT_NOT_FOUND")
    lost = http.post(WRITE, json={**ask, "precondition": {"ifRevision": "7"}})
    assert (lost.status_code, lost.json()["code"], reason(lost)) == (409, "aborted", "REVISION_MISMATCH")
    unknown = http.post(WRITE, json={**ask, "bdy": ""})
    assert (unknown.status_code, reason(unknown)) == (400, "UNKNOWN_FIELD")
    stream = http.post("/memslot.v1.AdminService/Backup", json={})
    assert (stream.status_code, stream.json()["code"], reason(stream)) == (501, "unimplemented", "STREAMING_METHOD")
    nothing = http.post("/memslot.v1.SlotService/Nothing", json={})
    assert (nothing.status_code, nothing.json()["code"], reason(nothing)) == (404, "unimplemented", "NO_SUCH_ROUTE")


@pytest.mark.parametrize(
    "headers",
    [
        {"connect-timeout-ms": "-1"},
        {"connect-timeout-ms": "0"},
        {"connect-timeout-ms": "1" * 11},
        {"connect-protocol-version": "2"},
    ],
)
def test_headers_of_the_protocol_are_checked(http: httpx.Client, headers: dict[str, str]) -> None:
    """A time or version that is none is no call."""
    answer = http.post(READ, json={}, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_argument")


def test_a_deadline_ends_the_call(http: httpx.Client) -> None:
    """A search that waits for a revision which does not come ends when the caller said, as 504."""
    settings = {"namespace": "acme/found", "settings": {"indexMode": "INDEX_MODE_FULLTEXT"}, "updateMask": "indexMode"}
    assert http.post("/memslot.v1.NamespaceService/UpdateNamespace", json=settings).status_code == 200
    ask = {"namespace": "acme/found", "text": "x", "minRevision": str(2**60)}
    answer = http.post("/memslot.v1.SlotService/Search", json=ask, headers={"connect-timeout-ms": "200"})
    assert (answer.status_code, answer.json()["code"]) == (504, "deadline_exceeded"), answer.text


def test_metrics_tell_what_is_counted_and_no_name(served: Served, http: httpx.Client) -> None:
    """Calls by method and code, the store, the audit and the index; labels are no caller's words. Scrapers have a port of their own,
    where nothing else is."""
    http.post("/mem/write", json={"slot": "canary-name", "value": "canary-body"}, params={"namespace": "canary-space"})
    port = served.addresses("metrics on")[0].rpartition(":")[2]
    with httpx.Client(
        base_url=f"http://127.0.0.1:{port}", trust_env=False, headers={"host": "10.1.2.3:9090"}
    ) as scraper:
        told = scraper.get("/metrics")
        assert told.headers["content-type"].startswith("text/plain; version=0.0.4")
        for path in ("/healthz", "/mem/read?slot=canary-name", "/openapi.json"):
            assert scraper.get(path).status_code == 404
        opened = scraper.get("/metrics", headers={"accept": "application/openmetrics-text; version=1.0.0"})
        assert opened.text.endswith("# EOF\n")
    assert "canary" not in told.text
    families = {family.name: family for family in text_string_to_metric_families(told.text)}
    writes = [
        s.value
        for s in families["memslot_calls"].samples
        if s.labels == {"service": "SlotService", "method": "Write", "code": "OK"}
    ]
    assert writes[0] >= 1
    assert families["memslot_slots"].samples[0].value >= 1
    assert families["memslot_audit_events_dropped"].samples[0].value == 0
    assert {"memslot_serving", "memslot_projection_lag_revisions", "process_resident_memory_bytes"} <= families.keys()
    labels = {name for family in families.values() for sample in family.samples for name in sample.labels}
    assert labels <= {"service", "method", "code", "projection", "version", "store"}


def test_promtool_finds_nothing_to_mend(http: httpx.Client) -> None:
    """The metrics are as Prometheus wants them."""
    promtool = shutil.which("promtool")
    if promtool is None:
        pytest.skip("needs promtool: apt-get install prometheus")
    done = subprocess.run(
        [promtool, "check", "metrics"], input=http.get("/metrics").text, text=True, capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_openapi_is_served(http: httpx.Client) -> None:
    """The document is valid, and each of its paths is there and refuses as it says."""
    told = http.get("/openapi.json").json()
    validate(told)
    for path, verbs in told["paths"].items():
        refused = http.request("DELETE", path)
        assert (refused.status_code, refused.headers["allow"]) == (405, "GET, HEAD" if "get" in verbs else "POST")
        for verb in refused.headers["allow"].split(", "):
            # By a header that browsers send, so that nothing is done.
            answer = http.request(verb, path, headers={"origin": "http://evil.example"})
            assert str(answer.status_code) in verbs["get" if verb == "HEAD" else verb.lower()]["responses"], (
                verb,
                path,
            )
    long = http.get("/mem/read", params={"slot": "a" * 40_000})
    assert (long.status_code, "431" in told["paths"]["/mem/read"]["get"]["responses"]) == (431, True)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_fuzzing_finds_no_crack(served: Served, http: httpx.Client, tmp_path: Path) -> None:
    """Whatever schemathesis makes of the document is answered as the document says, and never by an internal error."""
    schemathesis = os.environ.get("MEMSLOT_SCHEMATHESIS") or shutil.which(
        "schemathesis", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    )
    if schemathesis is None:
        pytest.skip("needs schemathesis: pip install schemathesis")
    checks = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
    command = [schemathesis, "run", f"{http.base_url}/openapi.json", "--checks", checks, "--max-examples", "15", "--seed", "1",
               "--exclude-path-regex", "Reindex|CheckIntegrity", "--phases", "examples,coverage,fuzzing", "--no-color"]  # fmt: skip
    # A caller who waits for a millisecond may well be told that it is over.
    config = '[checks.not_a_server_error]\nexpected-statuses = ["2xx", "3xx", "4xx", "504"]\n'
    tmp_path.joinpath("schemathesis.toml").write_text(config)
    done = subprocess.run(command, cwd=tmp_path, text=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout[-8000:]
    assert '"level": "error"' not in served.stderr


def test_without_its_libraries_the_start_says_what_to_install(tmp_path: Path) -> None:
    """HTTP is an extra: a sidecar without it serves gRPC, and one that is asked for HTTP says what is missing."""
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    hidden.joinpath("uvicorn.py").write_text("raise ModuleNotFoundError('gone', name='uvicorn')")
    with Served("--data-dir", tmp_path / "d", *FLAGS[:4], env={"PYTHONPATH": str(hidden)}) as served:
        assert served.exit_code() == 1
        assert "pip install 'memslot[http]'" in served.stderr
    with Served("--data-dir", tmp_path / "d", *FLAGS[:2], env={"PYTHONPATH": str(hidden)}) as served:
        assert served.ready().stop() == 0


def test_the_idle_sidecar_imports_nothing_of_http() -> None:
    """What is not asked for takes no memory."""
    code = (
        "import sys, memslot_sidecar.server\n"
        "print([m for m in ('uvicorn', 'httptools', 'prometheus_client', 'memslot_sidecar.http') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], text=True, capture_output=True, check=True)
    assert json.loads(done.stdout.replace("'", '"')) == []


def test_a_port_in_use_is_an_error(served: Served, tmp_path: Path) -> None:
    """Two servers do not share a port."""
    taken = served.addresses("http on")[0].removeprefix("http://")
    with Served("--data-dir", tmp_path, "--listen", "127.0.0.1:0", "--http-listen", taken) as second:
        assert second.exit_code() == 4
        assert "in use" in second.stderr
