"""Say before a run that it does not fit in memory: without, the system ends the process without a word."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from scheduler_core.errors import ExperimentError, Problem
from scheduler_core.limits import Limits

TASK_BYTES = 250
"""Memory of a run for each task, measured: 238 with Sparrow at 25,000,000 tasks, 245 with Megha at 4,900,000."""
MACHINE_BYTES = 200
_FREE = Path("/proc/meminfo"), "MemAvailable:"
_BOUNDS = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))


def needed_bytes(tasks: int, machines: int) -> int:
    """Return about how much memory a run takes beside the program's own."""
    return TASK_BYTES * tasks + MACHINE_BYTES * machines


def free_bytes() -> int | None:
    """Return the memory that this process can still take, None where the system does not say."""
    found = []
    file, name = _FREE
    try:
        line = next(line for line in file.read_text(encoding="ascii").splitlines() if line.startswith(name))
        found.append(int(line.split()[1]) * 1024)
    except (OSError, StopIteration, ValueError):
        pass
    for bound in _BOUNDS:
        try:
            found.append(int(bound.read_text(encoding="ascii")))
        except (OSError, ValueError):
            continue
    return min(found, default=None)


def within_memory(limits: Limits) -> Limits:
    """Return the limits with the memory that is free now as one of them."""
    free = free_bytes()
    return limits if free is None else replace(limits, memory_bytes=min(free, limits.memory_bytes))


def refuse_without_memory(tasks: int, machines: int, limits: Limits) -> None:
    """Raise ExperimentError if a run of this size needs more memory than the limit `memory_bytes`."""
    needed = needed_bytes(tasks, machines)
    if needed <= limits.memory_bytes:
        return
    said = f"needs about {needed / 1e9:.1f} GB of memory for {tasks:,} tasks on {machines:,} machines"
    allowed = f"at most {limits.memory_bytes / 1e9:.1f} GB, which is free (limit 'memory_bytes')"
    raise ExperimentError([Problem("workload", said, allowed, "ask for fewer tasks, or end other programs")])
