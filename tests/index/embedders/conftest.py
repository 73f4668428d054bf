"""The contract gets pytest's readable assertions too."""

import pytest

pytest.register_assert_rewrite("tests.index.embedders.contract")
