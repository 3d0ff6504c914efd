"""Entry point of `python -m scheduler_core`."""

from __future__ import annotations

import sys

if __name__ == "__main__":
    try:
        from scheduler_core.cli import main

        code = main()
    except KeyboardInterrupt:
        # Even while modules still load, Ctrl-C is no fault to show a traceback for.
        code = 130
    sys.exit(code)
