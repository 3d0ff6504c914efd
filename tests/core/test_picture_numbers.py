"""The numbers beside a picture are what is drawn, and what the recording says."""

from __future__ import annotations

import json
import random
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scheduler_core import scheduler_by_name
from scheduler_core.recording.track import numbers
from scheduler_core.world.spec import SchedulerSpec
from tests.node import node
from tests.recorded import Recorded
from tests.support import PROJECT
from tests.tiers import all_but_wide

KNOWN = PROJECT / "fixtures" / "known"
SEED, INSTANTS = 5, 100
NEVER = (1 << 32) - 1


def shown_in(path: Path, frames: list[int]) -> list[dict[str, Any]]:
    """What the page's scripts draw and write at these frames of a recording."""
    script = PROJECT / "tests" / "js" / "says_told.mjs"
    asked = json.dumps({"file": str(path), "frames": frames})
    ran = subprocess.run([node(), script], input=asked, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    found: list[dict[str, Any]] = json.loads(ran.stdout)
    return found


class Tasks:
    """The rows of a track: when each task leaves its keeper and starts, and its stretches of work."""

    def __init__(self, recorded: Recorded) -> None:
        track, work = recorded.track, recorded.meta["work"]
        tasks, spells = track["tasks"], track["spells"]
        self.unit_ns = track["unit_ns"]
        column = {name: numbers(tasks[name]) for name in ("arrival", "ran", "machine")}
        parts = {name: numbers(tasks[name]) for name in ("framework", "processing", "communication", "worker")}
        self.arrival = column["arrival"]
        self.begun = self.arrival + sum(parts.values())
        legs = work["legs"]
        at_worker = next((at for at, leg in enumerate(legs) if leg["place"] == "worker"), len(legs))
        fetched = any(leg["place"] == "way" for leg in legs[at_worker:]) and at_worker < len(legs)
        now, left, done = self.arrival.astype(float), self.arrival.astype(float), self.begun.astype(float)
        for at, leg in enumerate(legs):
            now = now + parts[leg["part"]] * leg["fraction"]
            left = now.copy() if leg["place"] == "queue" else left
            done = np.where(parts["worker"] > 0, now, self.begun) if at == at_worker else done
        long = np.frombuffer(tasks["long"], np.uint8) if tasks.get("long") else None
        central = long if work["keeper"].get("central") else None
        own = np.zeros(len(left), bool) if central is None else central == 1
        # The page rounds to whole units.
        self.leaves = np.floor(np.where(own | (not fetched), left, done))
        self.keeper = central if central is not None else np.frombuffer(tasks["keeper"], np.uint8)
        self.placed = column["machine"] > 0
        self.end = np.where(column["ran"] == NEVER, np.inf, self.begun + column["ran"].astype(float))
        self.spells: dict[int, list[tuple[float, float]]] = {}
        times = [numbers(spells[name]) for name in ("row", "start", "end")]
        for row, start, end in zip(*times, strict=True):
            self.spells.setdefault(int(row), []).append((start, end))
        for row, stretches in self.spells.items():
            self.end[row] = np.inf if column["ran"][row] == NEVER else stretches[-1][1]

    def standing(self, t_ns: int, boxes: int) -> list[int]:
        """How many tasks stand in each box at an instant."""
        now = t_ns / self.unit_ns
        stand = (self.arrival <= now) & (now < self.end) & (~self.placed | (now < self.leaves))
        for row, stretches in self.spells.items():
            if self.begun[row] <= now < self.end[row]:
                stand[row] = not any(start <= now < end for start, end in stretches)
        keeper = np.where(self.keeper == 255, 0, np.minimum(self.keeper, boxes - 1))
        return [int((stand & (keeper == box)).sum()) for box in range(boxes)]


def spec_of(recorded: Recorded) -> SchedulerSpec:
    return scheduler_by_name(recorded.meta["scheduler"]["name"])


RECORDINGS = sorted(path.stem for path in KNOWN.glob("*.zip"))
FEW = ["gallery-four-queues", "gallery-rack-fails", "gallery-old-news", "signature-eagle", "signature-pigeon"]


@pytest.mark.slow
@pytest.mark.parametrize("name", all_but_wide(RECORDINGS, FEW))
def test_the_numbers_beside_a_picture_are_what_is_drawn_and_what_the_recording_says(name: str) -> None:
    recorded = Recorded(KNOWN / f"{name}.zip")
    frames = sorted(random.Random(SEED).sample(range(len(recorded.frames)), min(INSTANTS, len(recorded.frames))))
    tasks = Tasks(recorded) if recorded.track else None
    told = dict(zip(frames, shown_in(KNOWN / f"{name}.zip", frames), strict=True))
    if recorded.track and recorded.track["tasks"].get("long") and spec_of(recorded).work.long_above:
        long = np.frombuffer(recorded.track["tasks"]["long"], np.uint8)
        hues = told[frames[0]]["hues"]
        assert (hues["by"], hues["of"]) == ("length", long.tolist()), "short jobs are blue, long jobs orange"
    for frame, (counters, load) in enumerate(recorded.pictures()):
        if (shown := told.get(frame)) is None:
            continue
        assert shown["says"]["waiting"] == counters["tasks_waiting"]
        assert shown["says"]["machines"] == recorded.meta["machines"]
        assert shown["says"]["busy"] == (None if load is None else int((load > 0).sum()))
        for box in [*(shown["near"] or []), *shown["far"]]:
            assert box["squares"] == min(box["count"], box["room"]), (frame, box)
        if tasks:
            counts = [box["count"] for box in shown["near"]]
            standing = tasks.standing(shown["t_ns"], len(counts))
            # A frame counts a task no more whose second launch is on its way, which a track does not tell.
            assert sum(counts) == min(sum(standing), counters["tasks_waiting"]), frame
            assert counts == standing or sum(counts) < sum(standing), frame
        assert sum(box["count"] for box in shown["far"]) <= counters["tasks_waiting"]
