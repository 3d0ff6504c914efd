"""Word where a task's wait was spent, and for which task it waited at its machine."""

from __future__ import annotations

from typing import Any

import numpy as np

from scheduler_core.run.telling import duration

PLACES = {
    "framework_queuing": "with its scheduler",
    "processing": "while its scheduler decided",
    "communication": "on messages",
    "worker_queuing": "in a queue at a machine",
}


def where_spent(parts: dict[str, int], wait_ns: int) -> str:
    """Return the parts of a wait that took a tenth of it and more, in words, the longest first."""
    most = sorted(
        (name for name in parts if parts[name] and 10 * parts[name] >= wait_ns), key=lambda name: -parts[name]
    )
    if not most:
        return ""
    told = [f"{duration(parts[name] / 1e9)} {{}}{PLACES[name]}" for name in most]
    if len(told) > 1:
        return ": " + f"{', '.join(told[:-1])} and {told[-1]}".replace("{}", "")
    if duration(parts[most[0]] / 1e9) == duration(wait_ns / 1e9):
        return f", all of it {PLACES[most[0]]}"
    return ", " + told[0].replace("{}", "of it ")


def busy_until(tasks: Any, task: int) -> str:
    """Return a sentence about the task for which a task waited at its machine: the last that ended there before."""
    start, machine = int(tasks["first_start_ns"][task]), int(tasks["machine"][task])
    reached = start - int(tasks["worker_queuing_ns"][task])
    before = np.flatnonzero(
        (tasks["machine"] == machine) & (tasks["last_start_ns"] < start) & (tasks["end_ns"] >= reached)
    )
    before = before[tasks["end_ns"][before] <= start]
    if not len(before):
        return ""
    last = int(before[tasks["end_ns"][before].argmax()])
    ran = duration(int(tasks["end_ns"][last] - tasks["last_start_ns"][last]) / 1e9)
    return f" Until then machine {machine:,} ran task {last:,}, which took {ran}."
