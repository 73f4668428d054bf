"""Taking injections out: all of them, and nothing else."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memslot_sidecar.edge.injection.delimiting import Delimited, Shown, delimit, find
from memslot_sidecar.edge.injection.scrubbing import NOTHING_ELSE, scrub_strings, scrub_text
from memslot_sidecar.model import Origin

BEGIN, END = '[memslot begin "aaaaaaaaaa" ', '[memslot end "aaaaaaaaaa"]'
PLAIN = st.text(alphabet=st.sampled_from('ab\\"\n[] 好😀/{},:'), max_size=12)
BROKEN = st.sampled_from(
    [BEGIN, END, BEGIN[:9], BEGIN[9:], END[:-4], END[-4:], '\\"', json.dumps(BEGIN)[1:-1], json.dumps(END)[1:-1]]
)
HOSTILE = st.lists(PLAIN | BROKEN, max_size=12).map("".join)
JSON: st.SearchStrategy[Any] = st.recursive(
    PLAIN | st.integers() | st.none(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(PLAIN, inner, max_size=4),
)


def injected(body: str) -> Delimited:
    """A body as Inject shows it."""
    return delimit(body, Shown("a", Origin.TOOL))


def nested(text: str, times: int) -> str:
    """A text in a JSON string in a JSON string ..."""
    return text if not times else json.dumps(nested(text, times - 1))


@given(st.lists(st.tuples(PLAIN, HOSTILE)), PLAIN, st.integers(0, 3))
def test_what_is_no_injection_stays(parts: list[tuple[str, str]], last: str, times: int) -> None:
    """All text around injections is left character by character, also where all of it was escaped as JSON."""
    text = "".join(plain + injected(body).text for plain, body in parts) + last
    done = scrub_text(nested(text, times))
    assert done.text == nested("".join(plain for plain, _ in parts) + last, times)
    assert done.removed == len(parts)
    assert done.characters == len(nested(text, times)) - len(done.text)


@given(HOSTILE)
def test_nothing_is_left_however_it_was_written(text: str) -> None:
    """After scrubbing there is no injection, also none that the removal of others would make; so scrubbing again changes nothing."""
    done = scrub_text(text)
    assert not find(done.text)
    assert scrub_text(done.text).text == done.text
    assert (done.text == text) == (not find(text))


@given(st.lists(HOSTILE, max_size=4), st.integers(0, 2))
def test_documents_stay_documents(texts: list[str], times: int) -> None:
    """No set of broken delimiters lets scrubbing damage a JSON document: each string is scrubbed by itself."""
    document = json.dumps([nested(text, times) for text in texts])
    done = scrub_strings(document)
    for scrubbed, text in zip(json.loads(done.text), texts, strict=True):
        left = scrubbed
        for _ in range(times):
            left = left if left == NOTHING_ELSE else json.loads(left)
        if "begin" not in text:
            assert left == text
    assert scrub_strings(done.text).text == done.text


@given(JSON, st.integers(0, 2), st.booleans(), st.sampled_from([None, 2]))
def test_a_document_without_injections_stays(value: Any, indent: int, ascii_only: bool, spaces: int | None) -> None:
    """Byte for byte, however it is written."""
    document = json.dumps([value], indent=indent, ensure_ascii=ascii_only)
    marked = json.dumps([value, injected("b").text], indent=indent, ensure_ascii=ascii_only)
    assert scrub_strings(document).text == document
    assert scrub_strings(marked).text == json.dumps([value, NOTHING_ELSE], indent=indent, ensure_ascii=ascii_only)


def test_messages_of_any_provider_are_scrubbed() -> None:
    """Texts anywhere: contents, parts, blocks, arguments in a string; numbers and spacing stay as written."""
    shown = injected('a "quoted" \\ body\n').text
    messages: list[Any] = [
        {"role": "user", "content": f"hello {shown} there"},
        {"role": "user", "content": [{"type": "text", "text": shown}]},
        {
            "role": "assistant",
            "tool_calls": [{"function": {"name": "f", "arguments": json.dumps({"x": f"a{shown}", "n": 1.10})}}],
        },
        {"role": "model", "parts": [{"functionResponse": {"response": {"deep": [[f"{shown}\n"]]}}}]},
    ]
    document = json.dumps(messages).replace('"role"', '  "n": 1.50, "role"')
    done = scrub_strings(document)
    assert done.removed == 4
    left = json.loads(done.text)
    assert left[0]["content"] == "hello  there"
    assert left[1]["content"] == [{"type": "text", "text": NOTHING_ELSE}]
    assert json.loads(left[2]["tool_calls"][0]["function"]["arguments"]) == {"x": "a", "n": 1.1}
    assert left[3]["parts"][0]["functionResponse"]["response"]["deep"] == [[NOTHING_ELSE + "\n"]]
    assert done.text.count('  "n": 1.50, "role"') == 4


def test_some_may_be_kept() -> None:
    """Those of the present turn stay where they are."""
    one, other = injected("one"), injected("other")
    text = f"1{one.text}2{other.text}3"
    done = scrub_text(text, [other.injection_id])
    assert done.text == f"12{other.text}3"
    assert done.removed == 1
    assert done.characters == len(one.text)


@pytest.mark.parametrize(
    "text",
    [
        f"{BEGIN}{BEGIN}] x {END} y {END}",
        f'[mem{injected("b").text}slot begin "aaaaaaaaaa" ] z {END}',
        f'{BEGIN}] z [memslot e{injected("b").text}nd "aaaaaaaaaa"]',
        "".join(f"[mem{BEGIN}] {END}slot " for _ in range(50)),
    ],
)
def test_delimiters_that_meet_by_a_removal_are_seen(text: str) -> None:
    """What is joined where an injection was may be an injection: it goes as well."""
    done = scrub_text(text)
    assert not find(done.text)
    assert scrub_text(done.text).text == done.text
