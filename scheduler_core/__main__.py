"""Entry point of `python -m scheduler_core`."""

from __future__ import annotations

import sys

from scheduler_core.cli import main

if __name__ == "__main__":
    sys.exit(main())
