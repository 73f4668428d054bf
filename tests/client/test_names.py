"""Namespace paths from any strings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memslot.names import namespace, split_namespace
from memslot_sidecar.names import namespace_path

PARTS = st.lists(st.text(st.characters(), min_size=1, max_size=10), min_size=1, max_size=8)
AWKWARD = st.lists(st.text("./% aé\u0301\u202e\x00\u3000\ud800%2F", min_size=1, max_size=10), min_size=1, max_size=8)


@given(PARTS | AWKWARD)
def test_any_strings_come_back(parts: list[str]) -> None:
    """Splitting a joined path gives the very same strings back."""
    assert split_namespace(namespace(*parts)) == tuple(parts)


@given(PARTS | AWKWARD)
def test_a_joined_path_is_a_valid_namespace_as_it_is(parts: list[str]) -> None:
    """The server accepts every joined path and stores it unchanged."""
    assert namespace_path(namespace(*parts)) == namespace(*parts)


@given(PARTS | AWKWARD, PARTS | AWKWARD)
def test_different_strings_have_different_paths(one: list[str], other: list[str]) -> None:
    """No two lists of strings share a path."""
    assert (namespace(*one) == namespace(*other)) == (one == other)


@pytest.mark.parametrize(
    ("parts", "path"),
    [
        (("acme", "a@b.com"), "acme/a@b.com"),
        (("auth0|x",), "auth0|x"),
        (("用户-7", "😀"), "用户-7/😀"),
        (("a/b", ".."), "a%2Fb/%2E%2E"),
        (("50%", "."), "50%25/%2E"),
        ((" x ", "y"), "%20x%20/y"),
        (("e\u0301",), "e%CC%81"),
        (("\x1a\u0300",), "%1A%CC%80"),
        (("a\u202eb",), "a%E2%80%AEb"),
    ],
)
def test_only_what_a_segment_may_not_hold_is_escaped(parts: tuple[str, ...], path: str) -> None:
    """Usual names stay readable; slashes, dots, percent signs, edges and what is not NFC are written as %XX."""
    assert namespace(*parts) == path


@pytest.mark.parametrize(
    ("parts", "why"),
    [
        ((), "1 to 8"),
        (("a",) * 9, "1 to 8"),
        (("a", ""), "part 1 .* empty"),
        (("a" * 129,), "129 bytes"),
        (("字" * 43,), "129"),
    ],
)
def test_what_no_path_can_hold_is_refused(parts: tuple[str, ...], why: str) -> None:
    """No part, nine parts, an empty part and a segment above 128 bytes are errors that say so."""
    with pytest.raises(ValueError, match=why):
        namespace(*parts)


@pytest.mark.parametrize(
    ("path", "parts"),
    [("acme/50%off", ("acme", "50%off")), ("a%zz", ("a%zz",)), ("%FF", ("%FF",)), ("a%2fb", ("a/b",))],
)
def test_a_path_written_by_hand_can_be_split(path: str, parts: tuple[str, ...]) -> None:
    """A percent sign that begins no escape stands for itself."""
    assert split_namespace(path) == parts
