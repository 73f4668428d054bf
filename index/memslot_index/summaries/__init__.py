"""Texts in short: one Protocol, a summariser a module, each imported when it is chosen."""
