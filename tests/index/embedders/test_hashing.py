"""The embedder ``hashing``."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.index.embedders.contract import EmbedderContract

from memslot_index.embedders.hashing import HashingEmbedder

HASHING = HashingEmbedder()
PRINT = """
from memslot_index.embedders.hashing import HashingEmbedder
print(HashingEmbedder().query("my sister 妹妹搬到了里斯本").tobytes().hex())
"""


class TestHashing(EmbedderContract):
    def open(self) -> HashingEmbedder:
        """Open one."""
        return HashingEmbedder()


def test_every_process_has_the_same_vectors() -> None:
    """Vectors do not depend on the process that makes them, so they may be kept."""
    command = [sys.executable, "-c", PRINT]
    runs = [
        subprocess.run(command, env={"PYTHONHASHSEED": seed}, check=True, stdout=subprocess.PIPE).stdout
        for seed in ("1", "2")
    ]
    assert runs[0] == runs[1] == HASHING.query("my sister 妹妹搬到了里斯本").tobytes().hex().encode() + b"\n"


def test_case_form_and_order_of_words_do_not_matter() -> None:
    """Words are compared in NFKC, without case, and wherever they stand."""
    assert np.array_equal(HASHING.query("ＮＥＷ café; door"), HASHING.query("Door new cafe\u0301"))


@given(st.text())
def test_a_vector_has_length_one_or_none(text: str) -> None:
    """No text makes a vector that is neither of length 1 nor all zeros."""
    length = float(np.linalg.norm(HASHING.query(text)))
    assert length == 0 or abs(length - 1) < 1e-5
