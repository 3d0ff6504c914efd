"""The command line: python -m scheduler_core."""

from __future__ import annotations

from scheduler_core.cli.main import main

__all__ = ["main"]
