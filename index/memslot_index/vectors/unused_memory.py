"""Memory that was freed, and that a library writes to its files as it finds it.

hnswlib, which Chroma keeps its graphs with, saves the room that it took for vectors to come, whatever was there before: perhaps one
that was erased.
"""

from __future__ import annotations

import ctypes

_M_PERTURB = -6
_FILLED_WITH = 0x55


def fill_unused_memory() -> bool:
    """Have the C library fill all memory that it hands out from now on, in the whole process; return whether it can.

    glibc can (``M_PERTURB`` of mallopt(3)), musl and macOS cannot. It costs little beside what Chroma does with that memory.
    """
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):
        return False
    return bool(mallopt(_M_PERTURB, _FILLED_WITH))
