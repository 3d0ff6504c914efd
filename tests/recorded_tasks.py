"""The tasks of a recording's track, counted without the page's scripts: where each stands at an instant."""

from __future__ import annotations

import numpy as np

from scheduler_core.recording.track import numbers
from tests.recorded import Recorded

NEVER = (1 << 32) - 1


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
