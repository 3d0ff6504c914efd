"""Run schedulers' signatures for the page of cards: `manage.py record_signatures`, after a change of one."""

from __future__ import annotations

import io
import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from playground.catalogue.cards import FIGURES, figures_of
from playground.catalogue.miniatures import miniature
from playground.catalogue.stills import still
from scheduler_core import (
    Experiment,
    RecordingReader,
    RunView,
    Simulation,
    signature_cards,
    signature_experiments,
    simulate,
)


class Command(BaseCommand):
    help = "Run each scheduler's example run and the one that it is compared with; write figures and pictures."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("names", nargs="*", help="names of schedulers; the default is all")

    def handle(self, *args: Any, **options: Any) -> None:
        path = settings.FIXTURES_DIR / FIGURES
        kept: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        folder = Path(settings.FILES_DIR) / "static" / "img" / "schedulers"
        folder.mkdir(parents=True, exist_ok=True)
        names = [card["name"] for card in signature_cards()]
        for card in signature_cards():
            if not options["names"] or card["name"] in options["names"]:
                kept[card["name"]] = _record(card, folder)
                print(card["name"])
        ordered = {name: kept[name] for name in names if name in kept}
        path.write_text(json.dumps(ordered, indent=1) + "\n", encoding="utf-8")


def _record(card: dict[str, Any], folder: Path) -> dict[str, Any]:
    experiments, view = signature_experiments(card["name"]), card["opens"]["view"]
    simulation = Simulation(Experiment.parse(experiments["own"]))
    for _ in simulation.run():
        pass
    own, neighbor = simulation.result, simulate(Experiment.parse(experiments["neighbour"]))
    assert own is not None
    (folder / f"{card['name']}.svg").write_text(still(view, own, neighbor), encoding="utf-8")
    recording = io.BytesIO()
    RunView(simulation).write_recording(recording)
    with RecordingReader(recording) as reader:
        moving = json.dumps(miniature(card["opens"], own, neighbor, reader), separators=(",", ":"))
    (folder / f"{card['name']}.json").write_text(moving + "\n", encoding="utf-8")
    return figures_of(card, {"own": own.summary, "neighbour": neighbor.summary})
