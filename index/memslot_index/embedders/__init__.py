"""Texts as vectors: one Protocol, an embedder a module, each imported when it is chosen."""
