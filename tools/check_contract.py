"""Check that the API only grows: buf compares proto/ with every published version of it in the history.

Published are `origin/main` where it exists and, since a clone may know nothing of it, all commits to proto/ since the API
became public together with the last one before that day. A draft that was never published can be amended away.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PUBLIC_SINCE = "2026-12-01T00:00:00Z"
BUF = Path(sys.executable).parent / "buf"


def published() -> list[str]:
    """Return the commits whose contract must still hold, newest first."""
    main = _git("rev-parse", "--verify", "--quiet", "origin/main")
    since = _git("rev-list", f"--since={PUBLIC_SINCE}", "HEAD", "--", "proto/memslot")
    before = _git("rev-list", "--max-count=1", f"--until={PUBLIC_SINCE}", "HEAD", "--", "proto/memslot")
    return [commit for commit in dict.fromkeys(main + since + before) if _git("ls-tree", commit, "proto/buf.yaml")]


def _git(*arguments: str) -> list[str]:
    done = subprocess.run(["git", *arguments], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    return done.stdout.splitlines()


def _holds(commit: str) -> bool:
    against = f".git#ref={commit},subdir=proto"
    return subprocess.call([BUF, "breaking", "proto", "--against", against], cwd=ROOT) == 0


def main() -> None:
    """Exit with 1 and buf's findings when a published version is broken."""
    commits = published()
    broken = [commit for commit in commits if not _holds(commit)]
    if broken:
        sys.exit(f"proto/ breaks what was published in {', '.join(commit[:12] for commit in broken)}.")
    print(f"proto/ keeps every promise of {len(commits)} published version(s).")


if __name__ == "__main__":
    main()
