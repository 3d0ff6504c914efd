"""The ways of the probes of one task's job, from the notes that the compiled loops write while a user watches a task.

The notes are rows of the log with codes of their own (schedulers.shared.probing.notes).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from scheduler_core.run.instructive_probes import ProbeWay
from scheduler_core.schedulers.shared.probing.notes import (
    ANSWERED,
    ARRIVED,
    ASKED,
    CALLED_BACK,
    DROPPED,
    GIVEN,
    IN_VAIN,
    REFUSED,
    SERVED,
    TAKEN,
)

_ENDS = {IN_VAIN: "in vain", CALLED_BACK: "called back", DROPPED: "dropped"}


@dataclass
class Stop:
    """A probe at a worker. Without a queue (`refused`, or an answer at once) it waits for nothing."""

    worker: int
    from_ns: int
    ahead: int
    until_ns: int | None = None  # when its worker served or refused it, or it left
    end: str = "waiting"  # then: asking, given, refused, taken over, nothing, called back, dropped, answered


@dataclass
class Probe:
    """One probe from worker to worker, and the tasks that it fetched."""

    stops: list[Stop] = field(default_factory=list)
    tasks: list[int] = field(default_factory=list)
    asked_ns: list[int] = field(default_factory=list)
    given_ns: list[int] = field(default_factory=list)
    over: bool = False  # nothing more can become of it

    @property
    def outcome(self) -> str:
        """What became of it so far: how its last stop ended, or that it has a task."""
        last = self.stops[-1].end
        return "given" if self.tasks and last == "answered" else last


def followed(notes: Any) -> list[Probe]:
    """Follow each probe through the notes, in the order in which they first come up."""
    probes: list[Probe] = []
    current: dict[int, Probe] = {}
    for row in notes:
        number, what = int(row["frm"]), int(row["reason"])
        probe = current.get(number)
        if probe is None or probe.over:  # the simulation uses numbers again
            probe = current[number] = Probe()
            probes.append(probe)
        _note(probe, what, int(row["machine"]), int(row["t_ns"]), int(row["x"]))
    return [probe for probe in probes if probe.stops]


def ways_of(notes: Any) -> list[ProbeWay]:
    """Return each probe that waited at one machine so far; empty if one of the job's probes went elsewhere."""
    probes = followed(notes)
    if any(len(probe.stops) > 1 or len(probe.tasks) > 1 for probe in probes):
        return []
    return [
        ProbeWay(
            probe.stops[0].worker,
            probe.stops[0].from_ns,
            -1 if probe.stops[0].until_ns is None else probe.stops[0].until_ns,
            probe.tasks[0] if probe.tasks else -1,
        )
        for probe in probes
    ]


def _note(probe: Probe, what: int, worker: int, t_ns: int, x: int) -> None:
    """Book one note."""
    if what in (ARRIVED, ANSWERED, REFUSED):
        probe.stops.append(Stop(worker, t_ns, x))
        if what != ARRIVED:
            probe.stops[-1].until_ns = t_ns
            probe.stops[-1].end = "answered" if what == ANSWERED else "refused"
        return
    if not probe.stops:
        return  # the record of how it came is older than the user's watch
    stop = probe.stops[-1]
    probe.over = what in _ENDS
    if what == GIVEN:
        probe.tasks.append(x)
        probe.given_ns.append(t_ns)
        stop.end = stop.end if stop.end == "answered" else "given"
    elif what == SERVED:
        stop.end = "given"
    elif what == ASKED:
        probe.asked_ns.append(t_ns)
        stop.end = "asking"
    elif what == TAKEN:
        stop.end = "taken over"
    elif stop.end != "answered":
        # A probe that fetched a task and stays for more has succeeded, even when no further task exists.
        stop.end = "given" if probe.tasks else _ENDS[what]
    if stop.until_ns is None:
        stop.until_ns = t_ns
