from __future__ import annotations

import os
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from playground.shell.play import checks
from playground.shell.play.processes import PREVIEW_PROCESSES, WORKER_QUEUES, worker_arguments
from playground.storage import files


class Command(BaseCommand):
    help = (
        "Start a worker on this host: `runs` computes runs and studies, `previews` answers sliders and questions. "
        "SIGTERM drains the worker: it takes no new work and hands back its run, which another worker continues."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", choices=sorted(WORKER_QUEUES), help="what the worker computes")
        parser.add_argument("--host", default="%h", help="name of this host, if several workers share one machine")
        parser.add_argument("--warm", action="store_true", help="also compile every kernel, once for each host")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            files.try_out()
        except OSError as error:
            raise CommandError(f"the files cannot be stored, see PLAYGROUND_STORAGE_URL: {error}") from None
        if options["name"] == "runs":
            arguments = worker_arguments("runs", settings.WORKERS, settings.WORKERS_MOST, host=options["host"])
        else:
            arguments = worker_arguments("previews", PREVIEW_PROCESSES, host=options["host"])
        environment = checks.environment_of_role({"CELERY_SKIP_CHECKS": "1"})
        if options["warm"]:
            environment["PLAYGROUND_WARMER"] = "1"
        os.execvpe(arguments[0], arguments, environment)  # noqa: S606 - a program of ours takes this one's place
