"""The command line of the playground, for `manage.py` in a clone and `scheduler-playground` after an installation."""

from __future__ import annotations

import os
import sys
from pathlib import Path

#: Commands of an installed playground; without one it plays.
COMMANDS = ("alive", "backup", "migrate", "play", "restore", "web", "worker")


def execute(arguments: list[str]) -> int:
    """Run a management command and return its exit code; `arguments` start with the program's name."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "playground.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line
    from django.db.utils import OperationalError

    from playground.shell.play import checks

    try:
        if arguments[1:2] in (["migrate"], ["restore"]):
            _prepare_data_folder()
        execute_from_command_line(arguments)
    except (ImproperlyConfigured, checks.CannotPlay) as error:
        print(f"playground: {error}", file=sys.stderr)
        return 2
    except OperationalError as error:
        if arguments[1:2] not in [[name] for name in COMMANDS]:
            raise
        print(f"playground: the database cannot be used ({error}): see PLAYGROUND_DATABASE_URL", file=sys.stderr)
        return 2
    return 0


def _prepare_data_folder() -> None:
    """Make the folder of the database's file, where it is one: `play` makes it, and these commands may come before."""
    from django.conf import settings

    from playground.shell.play import checks

    database = settings.DATABASES["default"]
    if database["ENGINE"] == "django.db.backends.sqlite3":
        checks.prepare_data_folder(Path(database["NAME"]).parent)


def start() -> int:
    """Start the playground or one of its commands: `scheduler-playground [COMMAND] [OPTIONS]`."""
    if sys.argv[1:] == ["--version"]:
        from scheduler_core.version import __version__

        print(__version__)
        return 0
    named = len(sys.argv) > 1 and sys.argv[1] in COMMANDS
    return execute(["scheduler-playground", *([] if named else ["play"]), *sys.argv[1:]])
