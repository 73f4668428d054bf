"""Receipts in a prompt, told by their length and their slot."""

from __future__ import annotations

from memslot_sidecar.edge.accounting.receipts import receipts_in
from memslot_sidecar.edge.notes import ActionNote, RejectNote


def _noted(name: str, characters: int) -> ActionNote:
    return ActionNote(1, "mem_read", name, "json", (), "DONE", "", 1, 10, characters)


def test_a_line_is_a_receipt_by_length_and_slot() -> None:
    """A line of another length, or with another slot, is none; one without a slot begins as such receipts do."""
    notes = [_noted("user_pref", 16), _noted("a b", 12), RejectNote(1, "TRUNCATED", 0, 9, "hint", 13), _noted("", 8)]
    text = 'stored user_pref\nstored user_prex\nstored user_pref!\nstored "a b"\nnot run: hint\nran run: hint\nno names'
    found = [text[start:end] for _, start, end in receipts_in([text], notes)]
    assert found == ["stored user_pref", 'stored "a b"', "not run: hint", "no names"]


def test_many_slots_and_many_lines() -> None:
    """A history of very many lines is looked through once, however many slots have names as long as one another."""
    notes = [_noted(f"z{number:05}", 17) for number in range(10_000)]
    lines = [f"not found: y{number % 10_000:05}" for number in range(100_000)]
    assert not list(receipts_in(["\n".join(lines)], notes))
    assert len(list(receipts_in(["\n".join(lines).replace("y", "z")], notes))) == len(lines)
