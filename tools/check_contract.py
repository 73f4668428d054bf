"""Check that the API only grows: buf compares proto/ with the version that landed last.

That is where this branch left `origin/main`. On `origin/main` itself, and in a clone that does not know it, it is the commit before
the last one. The first version that lands has nothing to be compared with.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUF = Path(sys.executable).parent / "buf"


def landed() -> str | None:
    """Return the commit whose contract must still hold; None when there is none."""
    head = _git("rev-parse", "HEAD")
    base = _git("merge-base", "origin/main", "HEAD")
    commit = base if base != head else ""
    commit = commit or _git("rev-parse", "--verify", "--quiet", "HEAD~")
    return commit if commit and _git("ls-tree", commit, "proto/buf.yaml") else None


def _git(*arguments: str) -> str:
    done = subprocess.run(
        ["git", *arguments], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False
    )
    return done.stdout.strip()


def main() -> None:
    """Exit with 1 and buf's findings when the landed version is broken."""
    commit = landed()
    if commit is None:
        print("proto/ is the first version of the API: there is nothing to compare it with.")
        return
    if subprocess.call([BUF, "breaking", "proto", "--against", f".git#ref={commit},subdir=proto"], cwd=ROOT):
        sys.exit(f"proto/ breaks what landed in {commit[:12]}.")
    print(f"proto/ keeps every promise of {commit[:12]}.")


if __name__ == "__main__":
    main()
