"""What is chosen by its name in the settings, and the packages it needs: they are imported when it is chosen, and not before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module


@dataclass(frozen=True, slots=True)
class Needs:
    """The modules that one kind imports, and the extra of memslot that brings them."""

    modules: tuple[str, ...] = ()
    extra: str = ""


def check_kind(
    what: str, kind: str, kinds: Mapping[str, Needs], *, refused: type[Exception], missing: type[Exception]
) -> None:
    """Raise ``refused`` if there is no such kind, ``missing`` if a module that it needs cannot be imported here."""
    if kind not in kinds:
        raise refused(f"{what} {kind!r} is none of {', '.join(kinds)}")
    for module in kinds[kind].modules:
        try:
            import_module(module)
        except ImportError as error:
            remedy = f"pip install 'memslot[{kinds[kind].extra}]'"
            raise missing(f"the {what} {kind!r} needs a package: {remedy} ({error})") from error


def check_endpoint(url: str, key_env: str, *, refused: type[Exception]) -> None:
    """Raise ``refused`` if this cannot be the address of an endpoint, or the environment variable holds no key. Nothing is sent."""
    from memslot_index.embedders.endpoint import EndpointRefused, checked_key, checked_url  # noqa: PLC0415 - imported when chosen

    try:
        checked_url(url)
        checked_key(key_env)
    except EndpointRefused as error:
        raise refused(str(error)) from None
