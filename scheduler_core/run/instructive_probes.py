"""The instructive moment of probes: all probes of one small job, drawn at random, of which the first get its tasks.

| kind | the rule |
|---|---|
| `probes_race` | of the smallest jobs whose tasks all waited, the one with the longest wait, at its last start |

A job whose probes left their first machine, or were not told apart, is passed over for the next one. The first tenth of
a run counts only where nothing else is found (as in `instructive_shares`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from scheduler_core.run.moment_texts import TAGS
from scheduler_core.run.said import fill, moment, say
from scheduler_core.run.telling import duration

if TYPE_CHECKING:
    from scheduler_core.run.instructive import Run

MOST_TASKS = 4
"""Probes of larger jobs are too many to look at one by one."""
_EARLY = 10
_TRIES = 4
_LEAST_NS = 100_000_000
"""A shorter wait cannot be seen."""


@dataclass(frozen=True)
class ProbeWay:
    """A probe that waited at one machine: from when to when, and the task that it fetched; -1 for no task."""

    machine: int
    from_ns: int
    until_ns: int
    task: int


def moments_of_probes(run: Run) -> Iterator[dict[str, Any]]:
    """Yield the moment as the contract has it (contract.Moment), if the run has one."""
    for task in _candidates(run.tasks):
        ways = run.probes_of(task)
        mine = np.flatnonzero(run.tasks["job"] == run.tasks["job"][task])
        fetched = {way.task: way.machine for way in ways if way.task >= 0}
        if len(ways) > len(mine) and fetched == {int(each): int(run.tasks["machine"][each]) for each in mine}:
            yield _moment(run, task, ways)
            return


def _candidates(tasks: Any) -> list[int]:
    """Return the last task to start of each possible job, the best first."""
    jobs = tasks["job"]
    if not len(jobs):
        return []
    wait = np.where(tasks["first_start_ns"] >= 0, tasks["first_start_ns"] - tasks["arrival_ns"], -1)
    least = np.full(int(jobs.max()) + 1, np.iinfo(np.int64).max)
    np.minimum.at(least, jobs, np.where(tasks["attempts"] == 1, wait, -1))
    size = np.bincount(jobs)
    fits = (least >= _LEAST_NS) & (size <= MOST_TASKS) & (size > 0)
    late = fits & (_arrivals(tasks) * _EARLY >= int(tasks["end_ns"].max(initial=0)))
    numbers = np.flatnonzero(late if late.any() else fits)
    longest = np.zeros(len(size), np.int64)
    np.maximum.at(longest, jobs, wait)
    best = numbers[np.lexsort((numbers, -longest[numbers], size[numbers]))][:_TRIES]
    return [int(np.flatnonzero((jobs == job) & (wait == longest[job]))[-1]) for job in best]


def _arrivals(tasks: Any) -> Any:
    """Return when each job arrived."""
    arrival = np.zeros(int(tasks["job"].max()) + 1, np.int64)
    arrival[tasks["job"]] = tasks["arrival_ns"]
    return arrival


def _moment(run: Run, task: int, ways: list[ProbeWay]) -> dict[str, Any]:
    tasks = run.tasks
    job, starts = int(tasks["job"][task]), tasks["first_start_ns"]
    won = sorted((way for way in ways if way.task >= 0), key=lambda way: int(starts[way.task]))
    name = "probes_of_one" if len(won) == 1 else "probes"
    said = {"job": f"{job:,}", "probes": f"{len(ways):,}"} | ({} if len(won) == 1 else {"tasks": f"{len(won):,}"})
    lost = len(ways) - len(won)
    told = [say(name, **said, machines=", ".join(f"{way.machine:,}" for way in ways))]
    for way in won:
        time = duration((int(starts[way.task]) - int(tasks["arrival_ns"][task])) / 1e9)
        told.append(say("probe_got", machine=f"{way.machine:,}", task=f"{way.task:,}", time=time))
    told.append(say("probe_lost") if lost == 1 else say("probes_lost", probes=f"{lost:,}"))
    machines = [int(tasks["machine"][task]), *(way.machine for way in ways)]
    found = moment(
        "probes_race",
        (int(starts[task]), task, machines),
        told,
        since_ns=int(tasks["arrival_ns"][task]),
        tag=fill(TAGS[name], **said),
    )
    return found | {"probes": [asdict(way) for way in ways]}
