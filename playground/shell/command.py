"""The command line of the playground, for `manage.py` in a clone and `scheduler-playground` after an installation."""

from __future__ import annotations

import os
import sys


def execute(arguments: list[str]) -> int:
    """Run a management command and return its exit code; `arguments` start with the program's name."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "playground.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(arguments)
    except ImproperlyConfigured as error:
        print(f"playground: {error}", file=sys.stderr)
        return 2
    return 0


def start() -> int:
    """Start the playground: the command `scheduler-playground [--port PORT] [--host ADDRESS]`."""
    return execute(["scheduler-playground", "play", *sys.argv[1:]])
