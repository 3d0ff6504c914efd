"""Record which controls move an experiment's waits most: `manage.py record_controls`, after a change of the schedulers.

Play shows the five most telling controls of an experiment. For each control the command runs the experiment with the
value halved and doubled (with the other values of a choice), and takes the largest change of the 99th percentile of
waits.
"""

from __future__ import annotations

import json
import math
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from playground.gallery.service import gallery
from scheduler_core import Experiment, ExperimentError, scheduler_by_name, simulate
from scheduler_core.studies.places import with_changes

GENERAL = (
    "workload.arrivals.offered_load",
    "workload.arrivals.rate_per_s",
    "workload.duration_s",
    "workload.tasks_per_job",
    "topology.clusters[0].machines[0].count",
    "topology.global_masters",
    "network.message_delay_s",
)
#: What no run of the page would be about: profiles choose all other parameters, and costs are calibrated.
LEFT_OUT = {"profile"}
MOST = 8
LEAST_WAIT_S = 1e-3
LEAST_MOVE = 0.05


class Command(BaseCommand):
    help = "Run each experiment of the gallery and each preset once a control, and write fixtures/controls.json."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--only", default="", help="the name of one experiment; the others keep their record")
        parser.add_argument("--tasks", type=int, default=3000, help="the largest workload of a run")
        parser.add_argument("--output", type=Path, default=settings.FIXTURES_DIR / "controls.json")

    def handle(self, *args: Any, **options: Any) -> None:
        output: Path = options["output"]
        kept = {each["name"]: each for each in json.loads(output.read_text())} if output.exists() else {}
        for name, data in experiments():
            if options["only"] in ("", name):
                kept[name] = {"name": name, "scheduler": data["scheduler"]["name"], "controls": swept(data, options)}
                print(f"{name}: {', '.join(each['path'] for each in kept[name]['controls'])}", file=sys.stderr)
                output.write_text(json.dumps(list(kept.values()), indent=1) + "\n")


def experiments() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the names and the JSON of what is swept: questions of the gallery, then presets."""
    for entry in gallery():
        yield entry.name, entry.experiment
    for path in sorted((settings.FIXTURES_DIR / "presets").glob("*.json")):
        yield path.stem, json.loads(path.read_text(encoding="utf-8"))


def swept(given: dict[str, Any], options: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the controls that move the number, the strongest first: {path, moves}, a natural logarithm."""
    data = _smaller(Experiment.parse(given).to_dict(), options["tasks"])
    base = wait_s(data)
    if base is None:
        return []
    found: list[tuple[float, str]] = []
    for path in (*GENERAL, *_parameters(data)):
        waits = [wait for value in _others(data, path) if (wait := wait_s(_changed(data, path, value))) is not None]
        moves = max((abs(math.log(wait / base)) for wait in waits), default=0.0)
        if moves >= LEAST_MOVE:
            found.append((moves, path))
    return [{"path": path, "moves": round(moves, 3)} for moves, path in sorted(found, reverse=True)[:MOST]]


def wait_s(data: dict[str, Any]) -> float | None:
    """Return the 99th percentile of waits, at least a millisecond; None where the run is not possible."""
    try:
        p99 = simulate(Experiment.parse(data)).summary["allocation_delay_s"]["p99"]
    except ExperimentError:
        return None
    return None if p99 is None else max(p99, LEAST_WAIT_S)


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
