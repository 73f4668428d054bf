"""``python -m memslot_sidecar`` is the command ``memslot``."""

import sys

from memslot_sidecar.cli import main

sys.exit(main())
