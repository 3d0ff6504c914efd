"""Draw the cards of the gallery: `manage.py record_gallery`, after a change of its experiments or of the engine."""

from __future__ import annotations

import io
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from PIL import Image

from playground.gallery.service import Entry, gallery
from playground.runs.results.pictures import draw_map
from scheduler_core import Experiment, RecordingReader, Simulation

_SIZE = (480, 252)
_AT = 0.6
_FRAMES = 60


class Command(BaseCommand):
    help = "Simulate each experiment of the gallery and draw its map, in both themes, into static/img/gallery."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("names", nargs="*", help="entries to draw; without any, all")

    def handle(self, *args: Any, **options: Any) -> None:
        folder = Path(settings.FILES_DIR) / "static" / "img" / "gallery"
        folder.mkdir(parents=True, exist_ok=True)
        for entry in gallery():
            if not options["names"] or entry.name in options["names"]:
                _draw(entry, folder)
                print(entry.name)


def _draw(entry: Entry, folder: Path) -> None:
    simulation = Simulation(Experiment.parse(entry.experiment), frames=_FRAMES)
    for _ in simulation.run():
        pass
    whole = io.BytesIO()
    simulation.write_recording(whole)
    with RecordingReader(whole) as reader:
        meta, frame = reader.meta, reader.frame(int(reader.count * _AT))
    for theme in ("light", "dark"):
        pixels = draw_map(meta, frame, *_SIZE, dark=theme == "dark")
        image = Image.fromarray(pixels).quantize(64)
        image.save(folder / f"{entry.name}-{theme}.png", optimize=True)
