"""Every slot with its body at once, for debugging."""

from __future__ import annotations

from memslot._core import many, naming
from memslot._core.binding import Binding
from memslot._core.steps import Emit, Flow, Steps, T
from memslot.enums import Order
from memslot.expiry import Seconds
from memslot.results import Entry, Namespace, Slot

_PAGE = 1000


def snapshot(at: Binding, *, timeout: Seconds | None = None) -> Steps[list[Slot]]:
    """Return every live slot of the store with its body, by namespace and name: the explicit way to see all of them at once.

    Reads as ``read_many`` does, so the audit names each slot whose body was shown, and it counts as an access. ``timeout`` is for each
    of its calls.
    """
    found: list[Slot] = []
    namespaces: list[Namespace] = yield from _collect(naming.listing(at, page_size=_PAGE, timeout=timeout))
    for namespace in namespaces:
        there = Binding(at.session, namespace.name)
        entries: list[Entry] = yield from _collect(
            many.lookup(there, order=Order.NAME, page_size=_PAGE, timeout=timeout)
        )
        found.extend((yield from many.read_many(there, [entry.name for entry in entries], timeout=timeout)).values())
    return found


def _collect(flow: Flow[T]) -> Steps[list[T]]:
    """Run a flow inside a call and keep what it hands out."""
    items: list[T] = []
    answer = None
    while True:
        try:
            effect = flow.send(answer)
        except StopIteration:
            return items
        if isinstance(effect, Emit):
            items.extend(effect.items)
            answer = None
        else:
            answer = yield effect
