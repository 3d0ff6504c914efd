"""Trace the probes of a task's job: where each went, how long it waited there, and which task it got.

The source is the notes that compiled loops write while a user watches a task (schedulers.shared.probing.notes).
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from scheduler_core.explanation.sendings import sendings_told
from scheduler_core.run.probe_ways import Probe, Stop, followed
from scheduler_core.run.telling import duration, instant

if TYPE_CHECKING:
    from scheduler_core.run.driver import Simulation

MOST_TOLD = 200
_NS = 1e9


def probes_told(simulation: Simulation, task: int) -> dict[str, Any] | None:
    """Return the probes so far of the watched task's job; None if its scheduler, or this task, uses none.

    {"of": "job", "total", "counts": {outcome: probes}, "why", "rows": [{"worker", "outcome", "won", "tasks", "stops",
    "sentence"}]}, at most MOST_TOLD rows: those that fetched tasks first, in the order of fetching, then by when they
    came. Where each task goes by itself, `of` has the value "task", and rows are workers
    (scheduler_core.explanation.sendings).
    """
    if simulation.spec.sends:
        return sendings_told(simulation.notes_on_probes, task, MOST_TOLD)
    if not simulation.spec.probes:
        return None
    probes = followed(simulation.notes_on_probes)
    if not probes:
        return None
    probes.sort(key=lambda probe: (task not in probe.tasks, not probe.tasks, (probe.given_ns or [0])[0]))
    alike = int((simulation.world.task["kind"] == simulation.world.task["kind"][task]).sum())
    return {
        "of": "job",
        "total": len(probes),
        "counts": dict(Counter(probe.outcome for probe in probes)),
        "why": _why(probes, task, alike),
        "rows": [_row(probe, task) for probe in probes[:MOST_TOLD]],
    }


def _row(probe: Probe, task: int) -> dict[str, Any]:
    last = probe.stops[-1]
    return {
        "worker": last.worker,
        "outcome": probe.outcome,
        "won": task in probe.tasks,
        "tasks": probe.tasks,
        "stops": [
            {"worker": stop.worker, "from_s": stop.from_ns / _NS, "ahead": stop.ahead, "end": stop.end,
             "waited_s": None if stop.until_ns is None else (stop.until_ns - stop.from_ns) / _NS}
            for stop in probe.stops
        ],
        "sentence": _sentence(probe),
    }  # fmt: skip


def _sentence(probe: Probe) -> str:
    """Return a sentence about one probe's path."""
    parts = [_at(stop) for stop in probe.stops]
    if probe.tasks:
        parts[-1] += f", fetched {_tasks(probe.tasks)}"
    text = "; then ".join(parts)
    return f"{text[:1].upper()}{text[1:]}."


def _at(stop: Stop) -> str:
    where = f"worker {stop.worker:,}"
    if stop.end == "refused":
        return f"{where} refused it"
    if stop.end == "answered":
        return f"{where} answered with {stop.ahead:,} in front"
    behind = "" if stop.ahead == 0 else f" behind {stop.ahead:,} {'other' if stop.ahead == 1 else 'others'}"
    if stop.until_ns is None:
        return f"has waited at {where} since {instant(stop.from_ns / _NS)}{behind}"
    waited_ns = stop.until_ns - stop.from_ns
    text = f"waited {duration(waited_ns / _NS)} at {where}{behind}" if waited_ns else f"was served at once at {where}"
    ends = {"asking": ", which asks for a task now", "in vain": ", but no task was left when the worker asked",
            "taken over": ", taken over from there", "called back": ", called back from there",
            "dropped": ", dropped because no task was left"}  # fmt: skip
    return text + ends.get(stop.end, "")


def _tasks(tasks: list[int]) -> str:
    shown = ", ".join(f"{task:,}" for task in tasks[:6])
    more = f" and {len(tasks) - 6:,} more" if len(tasks) > 6 else ""
    return f"task {shown}" if len(tasks) == 1 else f"tasks {shown}{more}"


def _why(probes: list[Probe], task: int, alike: int) -> str:
    """Return a sentence: why the task's worker has the task, or what its job's probes do meanwhile."""
    winner = next((probe for probe in probes if task in probe.tasks), None)
    if winner is None:
        return _not_yet(probes)
    stop, place = winner.stops[-1], winner.tasks.index(task)
    at_ns = winner.given_ns[place]
    turn = sum(given_ns < at_ns for probe in probes for given_ns in probe.given_ns) + 1
    of = f"number {turn:,} of the {alike:,} tasks for which its job sent {len(probes):,} probes"
    if alike == 1:
        of = f"the only task for which its job sent {len(probes):,} probes"
    if any(each.end == "answered" for probe in probes for each in probe.stops):
        least = min(each.ahead for probe in probes for each in probe.stops)
        front = winner.stops[0].ahead
        return f"It was {of}. Worker {stop.worker:,} had {front:,} in front; the shortest probed queue had {least:,}."
    if place:
        before = f"task {winner.tasks[place - 1]:,}, which the same probe had fetched"
        return f"It was {of}. Worker {stop.worker:,} asked for it after it had finished {before}."
    others = _others(probes, at_ns)
    if turn == 1:
        return f"It was {of}; worker {stop.worker:,} was the first probed worker with room{others}."
    gone = "1 task" if turn == 2 else f"{turn - 1:,} tasks"
    return f"It was {of}; {gone} had been given out when worker {stop.worker:,} had room and asked{others}."


def _others(probes: list[Probe], at_ns: int) -> str:
    """Return how many probes stood in queues when the scheduler handed a task out."""
    standing = sum(
        stop.from_ns < at_ns and (stop.until_ns is None or stop.until_ns > at_ns)
        for probe in probes for stop in probe.stops
    )  # fmt: skip
    where = "a queue" if standing == 1 else "queues"
    return f", while {standing:,} still waited in {where}" if standing else ""


def _not_yet(probes: list[Probe]) -> str:
    ends = Counter(probe.stops[-1].end for probe in probes)
    waiting = ends["waiting"] + ends["taken over"] + ends["refused"]
    return f"No probe has fetched it yet: {waiting:,} of its job's {len(probes):,} probes wait or are in transit."
