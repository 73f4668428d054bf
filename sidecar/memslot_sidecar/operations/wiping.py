"""Wiping the bytes of what was forgotten, where the caller or the namespace asks for it."""

from __future__ import annotations

from memslot_sidecar.operations.context import Context


async def wiped(ctx: Context, *, wanted: bool) -> None:
    """Answers when freed bytes are in no file, if that is wanted and something was freed. Raises ErasePending.

    A repeat waits too: its first answer may have been ERASE_PENDING.
    """
    if wanted and ctx.store.erase_pending:
        await ctx.store.erase()
