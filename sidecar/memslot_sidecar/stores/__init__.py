"""Where the truth is kept: one Protocol, one package per backend."""
