"""Make the networks that are shipped with an example: of its rounds, and the paths of tasks that its pictures show."""

from __future__ import annotations

import hashlib
import io
import json
import lzma
import zipfile
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from playground.known.networks import SUFFIX
from playground.known.results import TASKS
from playground.known.shipped import Shipped, folder
from scheduler_core import Experiment, Simulation, flow_pictures, flow_way, scheduler_by_name

#: At most this many rounds of an example are shipped, evenly spread, besides those of its moments.
_MOST_ROUNDS = 100
#: The fractions of a run's tasks whose prices an example shows (static/js/draw/work/prices.js).
_ASKED = (0.05, 0.2, 0.4, 0.6, 0.8)


def ship_networks(found: Shipped, experiment: Experiment) -> str:
    """Write the networks of an example beside its recording; return the file's digest, "" if it solves no network."""
    if not scheduler_by_name(experiment.scheduler.name).network:
        return ""
    with zipfile.ZipFile(folder() / found.file) as archive:
        moments: list[dict[str, Any]] = json.loads(archive.read("moments.json"))["moments"]
        table = pq.read_table(io.BytesIO(archive.read(TASKS))) if TASKS in archive.namelist() else None
    ways = [_way(experiment, *asked) for asked in _asked(moments, table)]
    rounds, lines = _rounds(experiment, {int(answer["round"]) for _, _, answer in ways if answer["round"] >= 1})
    text = b"\n".join([_json({"rounds": rounds, "ways": ways}), *lines])
    content = lzma.compress(text, preset=9)
    (folder() / f"{found.name}{SUFFIX}").write_bytes(content)
    return hashlib.sha256(content).hexdigest()


def _asked(moments: list[dict[str, Any]], table: pa.Table | None) -> list[tuple[int, int, int]]:
    """Return tasks that the pictures of an example ask about: [task, from when in ns, before when].

    Which round decided about a task that started once is the same as long as the task runs.
    """
    found: dict[int, tuple[int, int]] = {}
    for each in sorted(moments, key=lambda one: -int(one["t_ns"])):  # of two moments of a task, the earlier one stays
        if each["task"] >= 0:
            found[int(each["task"])] = int(each["t_ns"]), int(each["t_ns"]) + 1
    if table is not None:
        at = {
            name: table[name].to_numpy() for name in ("task", "attempts", "first_start_ns", "last_start_ns", "end_ns")
        }
        order = at["first_start_ns"].argsort(kind="stable")
        for row in sorted({int(order[int(part * len(order))]) for part in _ASKED}):
            found.setdefault(int(at["task"][row]), (int(at["last_start_ns"][row]), int(at["end_ns"][row])))
        for row in (at["attempts"] == 1).nonzero()[0]:
            task = int(at["task"][row])
            if task in found:
                found[task] = min(found[task][0], int(at["first_start_ns"][row])), int(at["end_ns"][row])
    return [(task, *when) for task, when in sorted(found.items())]


def _way(experiment: Experiment, task: int, from_ns: int, until_ns: int) -> tuple[float, float, dict[str, Any]]:
    return from_ns / 1e9, until_ns / 1e9, flow_way(experiment, task, at_s=from_ns / 1e9)


def _rounds(experiment: Experiment, named: set[int]) -> tuple[list[int], list[bytes]]:
    """Return the rounds to ship, and their networks as lines: all of a short run, else spread ones and `named` ones."""
    pictures = flow_pictures(experiment, count=_MOST_ROUNDS + 1)
    if len(pictures) > _MOST_ROUNDS:
        total = _count(experiment)
        wanted = named | {1 + total * part // _MOST_ROUNDS for part in range(_MOST_ROUNDS)}
        pictures = [flow_pictures(experiment, number)[0] for number in sorted(wanted)]
    return [each["round"] for each in pictures], [_json(each) for each in pictures]


def _count(experiment: Experiment) -> int:
    simulation = Simulation(experiment, frames=2)
    for _ in simulation.run():
        pass
    assert simulation.result is not None
    return int(simulation.result.summary["counters"]["rounds"])


def _json(of: Any) -> bytes:
    return json.dumps(of, separators=(",", ":")).encode()
