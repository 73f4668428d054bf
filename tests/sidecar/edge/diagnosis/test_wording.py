"""What a diagnosis can say, it can say in both languages."""

from __future__ import annotations

import ast
import string
from pathlib import Path

import pytest

from memslot_sidecar.edge import diagnosis
from memslot_sidecar.edge.diagnosis import wording
from memslot_sidecar.edge.diagnosis.evidence import Finding, Verdict
from memslot_sidecar.edge.language import Language
from memslot_sidecar.operations import diagnose_turn

_FOLDER = Path(str(diagnosis.__file__)).parent
_OUTCOMES = {"DONE", "VALID", "REFUSED", "NOT_FOUND", "DIAGNOSED"}
"""Outcomes of an action and of the call, which stand in the steps too."""


def _constants(file: Path) -> set[str]:
    found = {node.value for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Constant)}
    return {word for word in found if isinstance(word, str) and word.isupper() and word.replace("_", "").isalpha()}


def _holes(text: str) -> set[str]:
    return {hole for _, hole, _, _ in string.Formatter().parse(text) if hole}


def test_every_reason_has_words() -> None:
    """No step gives a reason without words, and no words are left without a reason."""
    files = [*_FOLDER.glob("*_step.py"), Path(str(diagnose_turn.__file__))]
    used = {reason for file in files for reason in _constants(file)}
    assert used - set(wording._TEXTS) == _OUTCOMES - set(wording._TEXTS)
    assert set(wording._TEXTS) - used == set()


@pytest.mark.parametrize("reason", wording._TEXTS)
def test_both_languages_tell_the_same(reason: str) -> None:
    """A name or number that one language tells, the other tells too; and values are never taken for words of ours."""
    english, chinese = wording._TEXTS[reason]
    assert _holes(english) - {"shape"} == _holes(chinese) - {"shape"}
    assert any("\u4e00" <= character <= "\u9fff" for character in chinese)
    values = dict.fromkeys(_holes(english), "{x} %s 用户 \"'")
    finding = Finding(Verdict.OK, reason, {**values, "turn": "{x}"})
    for language in (Language.EN, Language.ZH):
        assert all(
            value in wording.say(finding, language)
            for hole, value in values.items()
            if not hole.startswith(("in_", "of_", "turn"))
        )
