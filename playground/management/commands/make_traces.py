"""Generate the traces in fixtures/traces: `manage.py make_traces`. They are drawn from seeds and never change."""

from __future__ import annotations

import gzip
import json
from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from django.conf import settings
from django.core.management.base import BaseCommand


@dataclass(frozen=True)
class Recipe:
    """A made-up workload in the text format: jobs come in a Poisson stream whose rate swings by `swing`."""

    name: str
    note: str
    seed: int
    jobs: int
    rate_per_s: float
    swing: float
    long_share: float
    short_s: float
    long_s: float
    tasks: float


RECIPES = (
    Recipe("synthetic-steady", "Short jobs in a steady stream", 11, 1200, 4.0, 0.0, 0.0, 5.0, 0.0, 16.0),
    Recipe("synthetic-mixed", "One job in ten long, with half of the work", 12, 900, 2.0, 0.0, 0.1, 4.0, 40.0, 20.0),
    Recipe("synthetic-waves", "Short and long jobs, in five-minute waves", 13, 1500, 2.5, 0.8, 0.05, 5.0, 60.0, 14.0),
)
_WAVE_S = 300.0


class Command(BaseCommand):
    help = "Generate the synthetic traces in fixtures/traces and their descriptions in fixtures/traces.json."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--folder", type=Path, default=settings.FIXTURES_DIR, help="write to `traces` in this folder"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        folder: Path = options["folder"]
        (folder / "traces").mkdir(parents=True, exist_ok=True)
        described = [_write(recipe, folder / "traces" / f"{recipe.name}.tr.gz") for recipe in RECIPES]
        (folder / "traces.json").write_text(json.dumps(described, indent=2) + "\n", encoding="utf-8")
        for item in described:
            print(f"{item['id']}: {item['jobs']:,} jobs, {item['tasks']:,} tasks, {item['bytes']:,} bytes")


def _write(recipe: Recipe, path: Path) -> dict[str, Any]:
    lines = list(_lines(recipe))
    with path.open("wb") as file, gzip.GzipFile("", "wb", compresslevel=9, fileobj=file, mtime=0) as packed:
        packed.write("".join(line for line, _, _ in lines).encode())
    return {
        "id": path.name,
        "name": recipe.name,
        "format": "sparrow",
        "bytes": path.stat().st_size,
        "jobs": len(lines),
        "tasks": sum(tasks for _, tasks, _ in lines),
        "span_s": round(lines[-1][2] - lines[0][2], 3),
        "work_s": round(sum(float(word) for line, _, _ in lines for word in line.split()[3:]), 3),
        "at_once": {"tasks": _at_once(lines), "cpus": None},
        "synthetic": True,
        "note": recipe.note,
    }


def _at_once(lines: list[tuple[str, int, float]]) -> float:
    """Return how many tasks run at once on average if all start on arrival, as the statistics of a trace tell it."""
    rows = [[float(word) for word in line.split()] for line, _, _ in lines]
    runs = [(row[0] - rows[0][0], ran) for row in rows for ran in row[3:]]
    until = min(max(at + ran for at, ran in runs), 1.1 * runs[-1][0])
    return round(sum(min(ran, until - at) for at, ran in runs) / until, 3)


def _lines(recipe: Recipe) -> Iterator[tuple[str, int, float]]:
    """Yield each job's line, its number of tasks and its arrival."""
    random = np.random.default_rng(recipe.seed)
    now = 0.0
    for _ in range(recipe.jobs):
        rate = recipe.rate_per_s * (1 + recipe.swing * np.sin(2 * np.pi * now / _WAVE_S))
        now += float(random.exponential(1 / rate))
        is_long = random.random() < recipe.long_share
        tasks = int(np.clip(round(random.lognormal(np.log(recipe.tasks), 0.8)), 1, 200))
        mean = (recipe.long_s if is_long else recipe.short_s) * float(random.lognormal(0, 0.4))
        durations = [f"{max(0.05, mean * draw):.2f}" for draw in random.lognormal(-0.045, 0.3, tasks)]
        numbers = sum(map(float, durations)) / tasks
        yield f"{now:.3f} {tasks} {numbers:.3f} {' '.join(durations)}\n", tasks, now
