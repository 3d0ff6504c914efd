"""Record the small run that page tests open: `manage.py record_landing`, after a change of engine or frames."""

from __future__ import annotations

import io
import sys
import zipfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from scheduler_core import ExperimentError, RunView, Simulation
from scheduler_core.experiment.experiment import Experiment

FRAMES = 170  # four a second while the page shows the whole run in forty: more would make the page heavy


class Command(BaseCommand):
    help = "Simulate fixtures/recordings/landing.json and write landing.zip beside it."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        folder = settings.FIXTURES_DIR / "recordings"
        parser.add_argument("--experiment", type=Path, default=folder / "landing.json", help="what to simulate")
        parser.add_argument("--output", type=Path, default=folder / "landing.zip", help="the recording to write")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            simulation = Simulation(Experiment.from_file(options["experiment"]), frames=FRAMES)
            for _ in simulation.run():
                pass
            whole = io.BytesIO()
            RunView(simulation).write_recording(whole)
            _write_for_the_page(whole, options["output"])
        except ExperimentError as error:
            print(f"record_landing: {error}", file=sys.stderr)
            sys.exit(2)
        except OSError as error:
            print(f"record_landing: {error.strerror}: {error.filename}", file=sys.stderr)
            sys.exit(2)
        print(f"{options['output']}: {options['output'].stat().st_size:,} bytes")


def _write_for_the_page(recording: io.BytesIO, target: Path) -> None:
    """Write a recording without its decisions: more than half of the bytes, and the page asks for none."""
    with (
        zipfile.ZipFile(recording) as source,
        zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as out,
    ):
        for entry in source.infolist():
            if entry.filename != "decisions.parquet":
                out.writestr(zipfile.ZipInfo(entry.filename), source.read(entry), zipfile.ZIP_DEFLATED, 9)
