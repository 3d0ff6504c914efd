"""Word where a task's wait was spent, and for which task it waited at its machine."""

from __future__ import annotations

from typing import Any

import numpy as np

from scheduler_core.run.moment_texts import PLACES
from scheduler_core.run.said import Said, say
from scheduler_core.run.telling import duration


def wait_told(task: int, parts: dict[str, int], wait_ns: int) -> Said:
    """Return a sentence with a task's wait and its components of at least a tenth of it, the longest first."""
    most = sorted(
        (name for name in parts if parts[name] and 10 * parts[name] >= wait_ns), key=lambda name: -parts[name]
    )
    waited = {"task": f"{task:,}", "time": duration(wait_ns / 1e9)}
    for number, name in enumerate(most, 1):
        waited |= {f"time_{number}": duration(parts[name] / 1e9), f"place_{number}": PLACES[name]}
    if len(most) == 1 and waited["time"] == waited["time_1"]:
        return say("waited_all", **waited)
    return say(f"waited_{len(most)}" if most else "waited", **waited)


def busy_until(tasks: Any, task: int) -> list[Said]:
    """Return a sentence with the task that a task waited for: the last to end on its machine before; empty if none."""
    start, machine = int(tasks["first_start_ns"][task]), int(tasks["machine"][task])
    reached = start - int(tasks["worker_queuing_ns"][task])
    before = np.flatnonzero(
        (tasks["machine"] == machine) & (tasks["last_start_ns"] < start) & (tasks["end_ns"] >= reached)
    )
    before = before[tasks["end_ns"][before] <= start]
    if not len(before):
        return []
    last = int(before[tasks["end_ns"][before].argmax()])
    ran = duration(int(tasks["end_ns"][last] - tasks["last_start_ns"][last]) / 1e9)
    return [say("busy", machine=f"{machine:,}", task=f"{last:,}", time=ran)]
