"""Make the shipped recordings: `manage.py ship_recordings`, when their test reports that they are outdated."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from playground.gallery.shipping import to_ship
from playground.known import shipped
from playground.known.shipping import ship
from scheduler_core import outcome_code


class Command(BaseCommand):
    help = "Record the studio's first experiment, the gallery and the example runs, into fixtures/known."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--all", action="store_true", help="record all, also where the code is unchanged")

    def handle(self, *args: Any, **options: Any) -> None:
        folder = shipped.folder()
        folder.mkdir(parents=True, exist_ok=True)
        known = shipped.read_index(folder)[1]
        made = []
        for name, experiment in to_ship().items():
            found = known.get(experiment.digest())
            current = found is not None and found.code == outcome_code(experiment.scheduler.name)
            if found is None or not current or options["all"]:
                found = ship(name, experiment, folder)
                size = (folder / found.file).stat().st_size
                print(f"{name}: {size:,} bytes{', brief' if found.brief else ''}", flush=True)
            made.append(found)
        for path in folder.glob("*.zip"):
            if path.name not in {each.file for each in made}:
                path.unlink()
        shipped.write_index(folder, made)
