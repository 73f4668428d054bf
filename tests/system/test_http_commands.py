"""The curl commands that the documentation prints work as they stand there."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from tests.project.pages import PAGES
from tests.system.process import Served

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)


DESIGN = "sidecar/memslot_sidecar/http/DESIGN.md"
CALLED = [page.name for page in PAGES if any(line.startswith("curl ") for line in page.lines())]


def test_the_pages_call() -> None:
    """The front page and the one on HTTP are among those that are looked through."""
    assert {"README.md", "docs/http.md"} <= set(CALLED)


@pytest.mark.parametrize("document", [DESIGN, *CALLED])
def test_curl_commands(document: str, tmp_path: Path) -> None:
    """Each one is answered, and none with an error."""
    text = (ROOT / document).read_text()
    commands = [line for block in BLOCK.findall(text) for line in block.splitlines() if line.startswith("curl ")]
    with Served("--data-dir", tmp_path, "--listen", "127.0.0.1:0", "--http-listen", "127.0.0.1:0") as served:
        port = served.ready().addresses("http on")[0].rpartition(":")[2]
        script = "set -euo pipefail\n" + "\n".join(commands).replace("curl ", "curl --fail-with-body ")
        script = script.replace("localhost:7422", f"127.0.0.1:{port}").replace("127.0.0.1:7422", f"127.0.0.1:{port}")
        done = subprocess.run(["bash", "-c", script], text=True, capture_output=True, cwd=tmp_path, check=False)
        assert done.returncode == 0, f"{script}\n{done.stdout}\n{done.stderr}"
    if document == DESIGN:
        assert len(commands) == 9
        assert '"value":"Ada"' in done.stdout
        assert '"outcome":"FORGOTTEN"' in done.stdout
