"""What deploy/logs/README.md says of settings is so."""

from __future__ import annotations

import re

import pytest
from tests.deploy.logs.conftest import LOGS

from memslot_sidecar.options import AUDITING


@pytest.mark.parametrize("name", ["audit_file_limit_bytes", "audit_file_limit"])
def test_the_limits_of_a_file_are_the_defaults(name: str) -> None:
    """Wherever README gives one, it is the one that holds when nothing is said."""
    (option,) = (option for option in AUDITING if option.name == name)
    said = re.findall(rf"(\S+) \(`{option.flag}`\)", (LOGS / "README.md").read_text("utf-8"))
    assert said == [option.default]
