"""Make the shipped recordings: `manage.py ship_recordings`, when their test reports that they are outdated."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from playground.gallery.shipping import to_ship
from playground.known import shipped
from playground.known.networks import SUFFIX
from playground.known.shipping import ship
from playground.known.shipping_networks import ship_networks
from scheduler_core import outcome_code


class Command(BaseCommand):
    help = "Record the studio's first experiment, the gallery and the example runs, into fixtures/known."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--all", action="store_true", help="record all, also where the code is unchanged")

    def handle(self, *args: Any, **options: Any) -> None:
        folder = shipped.folder()
        folder.mkdir(parents=True, exist_ok=True)
        known = _by_name(folder)
        made = []
        for name, experiment in to_ship().items():
            found = known.get(name)
            asks = found is not None and found.question == experiment.digest()
            current = asks and found is not None and found.code == outcome_code(experiment.scheduler.name)
            if found is None or not current or options["all"]:
                found = ship(name, experiment, folder)
                size = (folder / found.file).stat().st_size
                print(f"{name}: {size:,} bytes{', brief' if found.brief else ''}", flush=True)
            if not found.networks or not current or options["all"]:
                found = replace(found, networks=ship_networks(found, experiment))
            made.append(found)
        files = {each.file for each in made} | {f"{each.name}{SUFFIX}" for each in made if each.networks}
        for path in (*folder.glob("*.zip"), *folder.glob(f"*{SUFFIX}")):
            if path.name not in files:
                path.unlink()
        shipped.write_index(folder, made)


def _by_name(folder: Path) -> dict[str, shipped.Shipped]:
    """Return the shipped recordings by name: two of them may answer the same question."""
    index = folder / shipped.INDEX
    rows = json.loads(index.read_text(encoding="utf-8"))["recordings"] if index.exists() else []
    return {row["name"]: shipped.Shipped(**row) for row in rows}
