"""The command line of the playground, for `manage.py` in a clone and `scheduler-playground` after an installation."""

from __future__ import annotations

import os
import sys

#: What an installed playground can be asked for by name; without one it plays.
COMMANDS = ("alive", "backup", "migrate", "play", "restore", "web", "worker")


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
    """Start the playground or one of its commands: `scheduler-playground [COMMAND] [OPTIONS]`."""
    named = len(sys.argv) > 1 and sys.argv[1] in COMMANDS
    return execute(["scheduler-playground", *([] if named else ["play"]), *sys.argv[1:]])
