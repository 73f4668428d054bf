"""Nobody enters twice before one who waits."""

from __future__ import annotations

from threading import Thread

from memslot_index.vectors.turns import Turns


def test_who_waits_is_next() -> None:
    """One that leaves and wants to enter again lets in first who has waited."""
    turns, entered = Turns(), list[str]()

    def wait() -> None:
        with turns:
            entered.append("waiting")

    with turns:
        waiting = Thread(target=wait)
        waiting.start()
        while not turns._door.locked():
            pass
    with turns:
        entered.append("again")
    waiting.join()
    assert entered == ["waiting", "again"]
