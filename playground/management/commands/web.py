from __future__ import annotations

import os
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from playground.shell.play import checks
from playground.shell.play.processes import PlayOptions, processes
from playground.storage import files


class Command(BaseCommand):
    help = (
        "Start a web process on this host: pages, the API and sockets. Any number of them may stand behind a proxy; "
        "all need the same secret key, database, Redis and storage."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on; 0.0.0.0 is every address")
        parser.add_argument("--port", type=int, default=8000, help="port to listen on")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            checks.check_plugins(options["host"])
        except checks.CannotPlay as error:
            raise CommandError(str(error)) from None
        try:
            files.try_out()
        except OSError as error:
            raise CommandError(f"the files cannot be stored, see PLAYGROUND_STORAGE_URL: {error}") from None
        asked = PlayOptions(host=options["host"], port=options["port"], workers=1, with_workers=False)
        (server,) = processes(asked)
        environment = checks.environment_of_role(server.environment)
        os.execvpe(server.arguments[0], server.arguments, environment)  # noqa: S606 - a program of ours takes this one's place
