"""Pages lead to each other, can be read in the time one has, and say nothing twice."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from tests.project.pages import FOLDED, PAGES, README, ROOT, Page, written

MARKDOWN = [Page(path) for path in written("*.md")]


@pytest.mark.parametrize("page", MARKDOWN, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Page) -> None:
    """Each link to a file of the repository has a file that git knows, and, where it names one, the heading."""
    known = {path for file in written("*") for path in (file, *file.parents)}
    for link in page.links():
        if re.match(r"[a-z]+:", link):
            continue
        place, _, anchor = link.partition("#")
        target = (page.path.parent / place).resolve() if place else page.path
        assert target in known, link
        assert not anchor or anchor in Page(target).anchors(), link


def test_every_page_can_be_found() -> None:
    """The front page names each page of docs/, and docs/ holds nothing but pages."""
    linked = {(ROOT / link.partition("#")[0]).resolve() for link in README.links()}
    assert {page.path for page in PAGES[1:]} <= linked
    assert written("docs/*") == [page.path for page in PAGES[1:]]


def test_the_front_page_takes_ten_minutes() -> None:
    """At most 2,500 words, the code included, but for what is folded away."""
    assert len(FOLDED.sub("", README.text).split()) <= 2500


def test_nothing_is_said_twice() -> None:
    """No sentence of some length stands on two pages, or twice on one."""
    said: Counter[str] = Counter()
    for page in PAGES:
        plain = re.sub(r"[*`]", "", page.prose).casefold()
        for part in re.split(r"(?<=[.:;!?])\s|\n\n|\n- |\|", plain):
            said[" ".join(part.split())] += 1
    assert [part for part, times in said.items() if times > 1 and len(part) >= 50] == []
