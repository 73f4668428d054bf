"""Create a virtual environment: `PYTHON tools/create_venv.py FOLDER`, also where the module ensurepip is missing.

Debian splits `ensurepip` off into python3-venv. Where that is not installed but pip is, pip itself puts a pip into the new
environment. Runs on any Python 3, so that an old one gets a message and not a syntax error.
"""

import subprocess
import sys
import venv
from pathlib import Path

OLDEST = (3, 10)
NO_PIP = """\
{python} can make no virtual environment: it has neither the module ensurepip nor pip. On Debian and Ubuntu:
    apt-get install python3-venv
or name another Python of version 3.10 or later: make PYTHON=/path/to/python ..."""


def main():
    """Make the environment anew, with a pip that knows dependency groups."""
    folder = Path(sys.argv[1])
    if sys.version_info[:2] < OLDEST:
        sys.exit("memslot needs Python 3.10 or later; {} is {}.{}.".format(sys.executable, *sys.version_info[:2]))
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if not python.exists():
        if _has("ensurepip"):
            venv.create(str(folder), with_pip=True)
        elif _has("pip"):
            venv.create(str(folder), with_pip=False)
            _run(sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "pip")
        else:
            sys.exit(NO_PIP.format(python=sys.executable))
    _run(str(python), "-m", "pip", "install", "--quiet", "--upgrade", "pip>=25.1")


def _has(module):
    return subprocess.call([sys.executable, "-c", "import " + module], stderr=subprocess.DEVNULL) == 0


def _run(*command):
    if subprocess.call(command) != 0:
        sys.exit("This failed: " + " ".join(command))


if __name__ == "__main__":
    main()
