#!/usr/bin/env python
"""Run one of the project's commands."""

from __future__ import annotations

import sys

from playground.shell.command import execute

if __name__ == "__main__":
    sys.exit(execute(sys.argv))
