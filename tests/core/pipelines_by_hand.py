"""A pipeline as plain as it can be: every iteration sorts all eligible tasks and tries each on every machine.

Slow, in Python, without indexes; it keeps to jobs in one queue each, times in ns, and counts what each stage looks at.
"""

from __future__ import annotations

import heapq
from collections import Counter
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Plain:
    """Machines as lists of what they have, (cpus, memory); jobs as dicts of an inline workload with stages."""

    machines: list[tuple[int, int]]
    jobs: list[dict[str, Any]]
    t2: str = "fifo"
    r5: str = "first_fit"
    counts: Counter[str] = field(default_factory=Counter)

    def run(self) -> dict[tuple[int, int], tuple[int, int, int]]:
        """(job, place of the task in it): (start, end, machine)."""
        free = [list(machine) for machine in self.machines]
        tasks = self._tasks()
        events = [(job["arrival_ns"], 1, number, -1) for number, job in enumerate(self.jobs)]
        heapq.heapify(events)
        queued: list[dict[str, Any]] = []
        cursor, iteration = 0, 0
        while events:
            now = events[0][0]
            while events and events[0][0] == now:
                _, kind, number, _ = heapq.heappop(events)
                if kind == 1:
                    queued += [task for task in tasks if task["job"] == number]
                else:
                    done = tasks[number]
                    done["done"] = True
                    for r in (0, 1):
                        free[done["machine"]][r] += done["demand"][r]
            if not queued:
                continue
            iteration += 1
            self.counts["T1"] += len(queued)
            eligible = [task for task in queued if all(tasks[parent]["done"] for parent in task["parents"])]
            self.counts["eligible"] += len(eligible)
            for task in sorted(eligible, key=self._key):
                room = [m for m, left in enumerate(free) if all(left[r] >= task["demand"][r] for r in (0, 1))]
                self.counts["R4"] += len(free)
                if not room:
                    continue
                machine = self._choose(room, free, task, cursor)
                self.counts["R5"] += 1 if self.r5 in ("first_fit", "round_robin") else len(room)
                cursor = machine + 1
                for r in (0, 1):
                    free[machine][r] -= task["demand"][r]
                task |= {"machine": machine, "start": now}
                queued.remove(task)
                heapq.heappush(events, (now + task["duration"], 0, task["number"], 0))
        return {(t["job"], t["place"]): (t["start"], t["start"] + t["duration"], t["machine"]) for t in tasks}

    def _tasks(self) -> list[dict[str, Any]]:
        tasks: list[dict[str, Any]] = []
        for number, job in enumerate(self.jobs):
            of: dict[str, list[int]] = {}
            before = len(tasks)
            for stage in job["stages"]:
                of[stage["name"]] = list(range(len(tasks), len(tasks) + stage["tasks"]))
                parents = [parent for name in stage.get("after", ()) for parent in of[name]]
                for _ in range(stage["tasks"]):
                    tasks.append({
                        "number": len(tasks), "job": number, "place": len(tasks) - before, "parents": parents,
                        "duration": stage["duration"], "demand": stage["demand"], "done": False,
                    })  # fmt: skip
        return tasks

    def _key(self, task: dict[str, Any]) -> Any:
        return (task["duration"] if self.t2 == "srtf" else 0, task["number"])

    def _choose(self, room: list[int], free: list[list[int]], task: dict[str, Any], cursor: int) -> int:
        most = [max(machine[r] for machine in self.machines) for r in (0, 1)]

        def left(machine: int) -> float:
            return float(sum((free[machine][r] - task["demand"][r]) / most[r] for r in (0, 1)))

        if self.r5 == "best_fit":
            return min(room, key=lambda machine: (round(left(machine), 9), machine))
        if self.r5 == "worst_fit":
            return min(room, key=lambda machine: (round(-left(machine), 9), machine))
        if self.r5 == "round_robin":
            return next((machine for machine in room if machine >= cursor), room[0])
        return room[0]
