"""Print constraints that install the lowest versions that pyproject.toml allows: `pip install -c <(python tools/lowest.py) ...`."""

import re
import sys
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PYPROJECT = Path(__file__).resolve().parent.parent / "pyproject.toml"
LOWER_BOUND = re.compile(r"(?P<name>[A-Za-z0-9._-]+)\s*>=\s*(?P<version>[^,;\s]+)[^;]*(?P<marker>;.*)?")


def lowest(requirements: list[str]) -> list[str]:
    """Turn `name>=1.2,<3; marker` into `name==1.2; marker`; a requirement without a lower bound is an error."""
    found = [(requirement, LOWER_BOUND.fullmatch(requirement)) for requirement in requirements]
    unbounded = [requirement for requirement, match in found if match is None]
    if unbounded:
        raise ValueError(f"without a lower bound: {', '.join(unbounded)}")
    return [f"{match['name']}=={match['version']}{match['marker'] or ''}" for _, match in found if match]


if __name__ == "__main__":
    project = tomllib.loads(PYPROJECT.read_text())["project"]
    print("\n".join(lowest(project["dependencies"] + project["optional-dependencies"]["sidecar"])))
