"""Which summariser a server has."""

from __future__ import annotations

import subprocess
import sys

import pytest

from memslot_index.summaries.base import SummariserMissing, SummariserRefused
from memslot_index.summaries.choice import KINDS, SummariserSettings, check_summariser, open_summariser

LOADED = """
import sys
from memslot_index.summaries import base, choice
choice.check_summariser(choice.SummariserSettings("none"))
assert choice.open_summariser(choice.SummariserSettings("none")) is None
print(sorted({"numpy", "icu4py", "httpx"} & set(sys.modules)))
"""


def test_each_kind_is_opened_by_its_name() -> None:
    """A setting's value opens the summariser of that name, without asking an endpoint, and `none` opens none."""
    assert KINDS == ("none", "extractive", "openai")
    assert open_summariser(SummariserSettings()) is None
    for kind in KINDS[1:]:
        summariser = open_summariser(SummariserSettings(kind, openai_url="http://127.0.0.1:9/v1", openai_key_env=""))
        assert summariser is not None
        assert summariser.name.startswith(f"{kind}/")
        summariser.close()


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (SummariserSettings("lexrank"), "'lexrank' is none of none, extractive, openai"),
        (SummariserSettings("openai", openai_url="localhost"), "looks like https://host:port/v1"),
        (SummariserSettings("openai", openai_key_env="NO_SUCH_KEY"), "NO_SUCH_KEY"),
    ],
)
def test_a_setting_that_cannot_be_right_is_refused(settings: SummariserSettings, told: str) -> None:
    """What can be seen to be wrong without asking anybody is refused at the start."""
    for start in (check_summariser, open_summariser):
        with pytest.raises(SummariserRefused, match=told):
            start(settings)


@pytest.mark.parametrize(
    ("kind", "module", "extra"),
    [
        ("extractive", "numpy", "summaries"),
        ("extractive", "icu4py.breakers", "summaries"),
        ("openai", "httpx", "openai"),
    ],
)
def test_a_missing_library_is_a_clear_error(
    monkeypatch: pytest.MonkeyPatch, kind: str, module: str, extra: str
) -> None:
    """Without the library of the chosen summariser, the error says the command that installs it."""
    monkeypatch.setitem(sys.modules, module, None)
    for start in (check_summariser, open_summariser):
        with pytest.raises(SummariserMissing, match=rf"pip install 'memslot\[{extra}\]'"):
            start(SummariserSettings(kind, openai_key_env=""))


def test_no_library_is_imported_before_it_is_chosen() -> None:
    """Whoever makes no summaries loads nothing."""
    done = subprocess.run([sys.executable, "-c", LOADED], check=True, stdout=subprocess.PIPE, text=True)
    assert done.stdout == "[]\n"
