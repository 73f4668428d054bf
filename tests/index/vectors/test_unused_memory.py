"""What lay in memory that was freed gets into no file."""

from __future__ import annotations

import platform
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("chromadb", reason="Chroma is not installed: pip install 'memslot[chroma]'")

if platform.libc_ver()[0] != "glibc":
    pytest.skip("this C library does not fill the memory that it hands out", allow_module_level=True)

ERASED = np.linspace(0.1, 0.2, 24, dtype=np.float32)
TRACE = ERASED[4:8].tobytes()
PROGRAM = """
import sys
from pathlib import Path

import numpy as np

from memslot_index.vectors.chroma import ChromaIndex

erased, folder = np.frombuffer(bytes.fromhex(sys.argv[1]), np.float32), Path(sys.argv[2])
for space in range(1, 31):
    index = ChromaIndex(24, f"memslot-store-{space}", folder=folder / str(space))
    index.put(np.arange(1, 61), np.tile(erased if space % 2 else np.flip(erased), (60, 1)))
    index.search(erased, 10)
    index.drop()
    index.close()
"""


def test_a_graph_of_chroma_is_saved_without_what_lay_in_memory(tmp_path: Path) -> None:
    """Chroma saves room for a thousand vectors, and what was freed just before it took that memory is not in it."""
    subprocess.run([sys.executable, "-c", PROGRAM, ERASED.tobytes().hex(), str(tmp_path)], check=True)
    files = [path for path in tmp_path.rglob("*.bin") if int(path.relative_to(tmp_path).parts[0]) % 2 == 0]
    assert {"data_level0.bin", "length.bin"} <= {path.name for path in files}
    assert [path.name for path in files if TRACE in path.read_bytes()] == []
