"""What counts tokens: chosen by name, loaded when it is first asked for, and named beside every figure."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Protocol

from memslot_sidecar.edge.accounting.estimating import estimate
from memslot_sidecar.errors import InvalidField, UsageError

FIELD = "token_counter"
KINDS = ("chars", "estimate", "o200k", "cl100k")
FILE = "file:"


class Counter(Protocol):
    """Counts the tokens of a text, in any thread. What it counts of two texts may differ a little from what it counts of both as one."""

    @property
    def name(self) -> str:
        """What stands beside its figures."""

    def count(self, text: str) -> int:
        """Tokens of ``text``; 0 for none."""


@dataclass(frozen=True, slots=True)
class _Counter:
    name: str
    count: Callable[[str], int]


class CounterMissing(InvalidField):
    """A counter exists, and its package is not installed."""


_files: dict[str, Counter] = {}
"""Tokenizers that the server's setting named, by their names: a request may choose one, and never a path."""


def counter_of(name: str) -> Counter:
    """The counter of this name; loading a vocabulary takes half a second once. Raises InvalidField, which tells what can be chosen."""
    if name in _files:
        return _files[name]
    if name not in KINDS:
        raise InvalidField(
            f"token_counter: there is no {name[:64]!r}; choose one of {', '.join((*KINDS, *_files))}", field=FIELD
        )
    return _loaded(name)


async def ready_counter(name: str) -> Counter:
    """The same without holding up the event loop while a vocabulary is loaded. Raises InvalidField."""
    if name in ("chars", "estimate") or name not in KINDS:
        return counter_of(name)
    return await asyncio.to_thread(counter_of, name)


def setting_counter(setting: str) -> str:
    """The name of the counter that the setting ``token_counter`` asks for, loaded; ``file:PATH`` is a tokenizer.json. Raises UsageError."""
    try:
        if not setting.startswith(FILE):
            return counter_of(setting).name
        counter = _of_file(Path(setting.removeprefix(FILE)).expanduser())
    except (InvalidField, OSError, ValueError) as error:
        raise UsageError(str(error) if isinstance(error, InvalidField) else f"token_counter: {error}") from None
    _files[counter.name] = counter
    return counter.name


@cache
def _loaded(name: str) -> Counter:
    if name == "chars":
        return _Counter(name, len)
    if name == "estimate":
        return _Counter(name, estimate)
    try:
        import bpe_openai  # type: ignore[import-untyped]  # noqa: PLC0415 - imported when chosen
    except ImportError as error:
        raise CounterMissing(_remedy(name, "tokens"), field=FIELD) from error
    encode = bpe_openai.get_encoding(f"{name}_base").encode_ordinary
    return _Counter(name, lambda text: len(encode(_whole(text))))


def _of_file(path: Path) -> Counter:
    """A tokenizer in Hugging Face's format; its name tells its content, so that figures of two are never taken for one another's."""
    try:
        from tokenizers import Tokenizer  # noqa: PLC0415 - imported when chosen
    except ImportError as error:
        raise CounterMissing(_remedy(FILE, "tokenizer-file"), field=FIELD) from error
    content = path.read_bytes()
    try:
        tokenizer = Tokenizer.from_buffer(content)
    except ValueError as error:
        raise ValueError(f"{path} is no tokenizer.json ({error})") from None
    tokenizer.no_truncation()
    tokenizer.no_padding()
    name = f"{FILE}{path.name}@{hashlib.sha256(content).hexdigest()[:8]}"
    return _Counter(name, lambda text: len(tokenizer.encode(_whole(text), add_special_tokens=False).ids))


def _remedy(name: str, extra: str) -> str:
    return f"token_counter: {name!r} needs a package: pip install 'memslot[{extra}]', or choose 'estimate'"


def _whole(text: str) -> str:
    """The text with what stands for halves of surrogate pairs replaced, which no tokenizer takes."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
