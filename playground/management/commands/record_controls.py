"""Record the controls that change an experiment's number most: `manage.py record_controls`, after scheduler changes.

Play shows the five most telling controls of an experiment. For each control the command runs the experiment with the
value halved and doubled (with the other values of a choice), and takes the largest change of the number: of a signature
the number that it declares, of any other experiment the 99th percentile of waits.
"""

from __future__ import annotations

import functools
import json
import math
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from playground.catalogue.controls import SIGNATURE
from playground.gallery.service import gallery
from playground.gallery.shipping import FIRST
from scheduler_core import (
    Experiment,
    ExperimentError,
    figure_value,
    scheduler_by_name,
    signature_cards,
    signature_experiment,
    simulate,
)
from scheduler_core.experiment.places import with_changes

GENERAL = (
    "workload.arrivals.offered_load",
    "workload.arrivals.rate_per_s",
    "workload.duration_s",
    "workload.tasks_per_job",
    "topology.clusters[0].machines[0].count",
    "topology.global_masters",
    "network.message_delay_s",
)
#: What no run of the page would be about: profiles choose all other parameters, and solvers agree but for equal costs.
LEFT_OUT = {"profile", "solver"}
MOST = 8
#: Smaller numbers count as this: a millisecond, or a thousandth of a count.
LEAST = 1e-3
LEAST_MOVE = 0.05


Number = Callable[[dict[str, Any]], float | None]


class Command(BaseCommand):
    help = "Run each shipped experiment once for each control, and write fixtures/controls.json."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--only", default="", help="name of one experiment; the others keep their results")
        parser.add_argument("--tasks", type=int, default=3000, help="number of tasks that a run has at most")
        parser.add_argument(
            "--output", type=Path, default=settings.FIXTURES_DIR / "controls.json", help="the file to write"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        output: Path = options["output"]
        kept = {each["name"]: each for each in json.loads(output.read_text())} if output.exists() else {}
        for name, data, number in experiments():
            if options["only"] in ("", name):
                found = swept(data, options["tasks"], number)
                kept[name] = {"name": name, "scheduler": data["scheduler"]["name"], "controls": found}
                print(f"{name}: {', '.join(each['path'] for each in found)}", file=sys.stderr, flush=True)
                output.write_text(json.dumps(list(kept.values()), indent=1) + "\n")


def experiments() -> Iterator[tuple[str, dict[str, Any], Number]]:
    """Yield names, JSON and numbers of what is swept: the gallery, presets, the studio's first, and signatures."""
    for entry in gallery():
        yield entry.name, entry.experiment, _p99
    for path in sorted((settings.FIXTURES_DIR / "presets").glob("*.json")):
        yield path.stem, json.loads(path.read_text(encoding="utf-8")), _p99
    first = settings.FIXTURES_DIR / "experiments" / f"{FIRST}.json"
    yield FIRST, json.loads(first.read_text(encoding="utf-8")), _p99
    for card in signature_cards():
        number = functools.partial(figure_value, card["number"])
        yield f"{SIGNATURE}{card['name']}", signature_experiment(card["name"]), number


def swept(given: dict[str, Any], tasks: int, number: Number) -> list[dict[str, Any]]:
    """Return the controls that move the number, the strongest first: {path, moves}, a natural logarithm."""
    data = _smaller(Experiment.parse(given).to_dict(), tasks)
    base = _value(data, number)
    if base is None:
        return []
    found: list[tuple[float, str]] = []
    for path in (*GENERAL, *_parameters(data)):
        values = (_value(_changed(data, path, value), number) for value in _others(data, path))
        moves = max((abs(math.log(value / base)) for value in values if value is not None), default=0.0)
        if moves >= LEAST_MOVE:
            found.append((moves, path))
    return [{"path": path, "moves": round(moves, 3)} for moves, path in sorted(found, reverse=True)[:MOST]]


def _p99(summary: dict[str, Any]) -> float | None:
    found: float | None = summary["allocation_delay_s"]["p99"]
    return found


def _value(data: dict[str, Any], number: Number) -> float | None:
    """Run an experiment and return its number; None where the run is not possible or has no such number."""
    try:
        found = number(simulate(Experiment.parse(data)).summary)
    except ExperimentError:
        return None
    return None if found is None else max(found, LEAST)


def _smaller(data: dict[str, Any], tasks: int) -> dict[str, Any]:
    now = data["workload"].get("tasks")
    return with_changes(data, {"workload.tasks": tasks}) if isinstance(now, int) and now > tasks else data


def _parameters(data: dict[str, Any]) -> list[str]:
    schema = scheduler_by_name(data["scheduler"]["name"]).params.model_json_schema()
    return [f"scheduler.params.{name}" for name in schema["properties"] if name not in LEFT_OUT]


def _at(data: Any, path: str) -> Any:
    for step in path.replace("[", ".").replace("]", "").split("."):
        if isinstance(data, list):
            data = data[int(step)] if int(step) < len(data) else None
        else:
            data = data.get(step) if isinstance(data, dict) else None
    return data


def _scaled(value: dict[str, Any]) -> str | None:
    """Return the key that scales a distribution, as the page's control does."""
    return next((key for key in ("mean", "median", "value") if isinstance(value.get(key), (int, float))), None)


def _others(data: dict[str, Any], path: str) -> list[Any]:
    """Return the values to try: half and double of a number, the other values of a choice or a switch."""
    value = _at(data, path)
    if isinstance(value, dict) and (key := _scaled(value)):
        return [{**value, key: value[key] * factor} for factor in (0.5, 2.0)]
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return sorted({max(1, value // 2), value * 2} - {value})
    if isinstance(value, float):
        return [value / 2, value * 2] if value else []
    return _choices(data, path, value) if isinstance(value, str) else []


def _choices(data: dict[str, Any], path: str, value: str) -> list[str]:
    schema = scheduler_by_name(data["scheduler"]["name"]).params.model_json_schema()
    field = schema["properties"].get(path.rpartition(".")[2], {})
    named = schema.get("$defs", {}).get(str(field.get("$ref", "")).rpartition("/")[2], {})
    return [each for each in field.get("enum", named.get("enum", [])) if each != value]


def _changed(data: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    changes: dict[str, Any] = {path: value}
    if path == "topology.global_masters":
        changes["queues"] = "absent"
    return with_changes(data, changes)
