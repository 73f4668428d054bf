"""Names are found whole and by their parts."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.index.fulltext.tables import document, empty, found, of_names

PARTS = [
    ("user_pref", "pref"),
    ("user-pref", "pref"),
    ("user.pref", "pref"),
    ("notes/user/pref", "pref"),
    ("userPref", "pref"),
    ("UserPreference", "preferences"),
    ("XMLHttpRequest", "http"),
    ("parseJSON", "json"),
    ("getURL2", "url"),
    ("backup2024", "2024"),
    ("iPhone15Pro", "pro"),
    ("été2024Été", "ete"),
    ("ПолныйАдрес", "адрес"),
    ("用户userPref", "pref"),
    ("用户userPref", "用户"),
    ("turn_00042", "00042"),
]


@pytest.mark.parametrize(("name", "part"), PARTS)
def test_a_part_finds_the_name(name: str, part: str) -> None:
    """A name is found by what stands between its separators, and between borders of letter case and digits."""
    assert found(of_names(name, "other"), part) == [0]


@pytest.mark.parametrize(
    "written", ["userPref", "UserPref", "user_pref", "user-pref", "user pref", '"user pref"', "user/pref"]
)
@pytest.mark.parametrize("name", ["userPref", "user_pref", "user.pref"])
def test_ways_of_writing_a_name_find_each_other(name: str, written: str) -> None:
    """An identifier is found by the same identifier in another convention."""
    assert found(of_names(name, "other"), written) == [0]


def test_the_whole_name_ranks_first() -> None:
    """Who asks for a name as it is gets it before others that share its parts."""
    table = of_names("pref", "user", "user_pref", "pref_user", "userPrefOld")
    assert found(table, "user_pref")[0] == 2


def test_tags_and_task_types_are_split_like_names() -> None:
    """Tags and the task type are identifiers too."""
    table = empty()
    table.put([document(0, tags=("projectX", "to-do")), document(1, task_type="deepResearch")])
    assert found(table, "project") == [0]
    assert found(table, "do") == [0]
    assert found(table, "research") == [1]


def _nfc(name: str) -> str:
    return unicodedata.normalize("NFC", name).strip()[:40].strip()


characters = st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"])
scripts = st.sampled_from("aZ9_-./ é中文のカー한국กิ😀🏽\u200d\ufe0f🇩🇪—…\u0301\u3099\u00ad*\"'ﷺ")
names = st.text(characters | scripts, min_size=1, max_size=40).map(_nfc).filter(bool)


@given(names)
@example("OR")
@example("the")
@example("NOT*")
@example("—")
@example("…")
@example('"')
@example("***")
@example("\u0301")
@example("\u200d")
@example("的")
@example("bus*")
@example('a "b c" d')
@example("ﷺ")
def test_a_name_finds_itself(name: str) -> None:
    """Whatever a slot is called, its name finds it, typed as it is and as a phrase."""
    table = of_names(name, "unrelated")
    assert 0 in found(table, name)
    assert 0 in found(table, '"' + name.replace('"', " ") + '"') or not name.replace('"', " ").strip()
