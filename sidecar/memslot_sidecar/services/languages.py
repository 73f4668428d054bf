"""The languages of texts for a model, by number."""

from __future__ import annotations

from collections.abc import Mapping

from memslot_sidecar.edge.language import Language

LANGUAGES: Mapping[int, Language] = {0: Language.EN} | {int(language): language for language in Language}
