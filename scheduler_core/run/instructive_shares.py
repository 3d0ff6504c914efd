"""Instructive moments of shares that jobs give away, and of a central scheduler that places long jobs.

| kind | the rule |
|---|---|
| `given_share` | of starts on a share given away, the one after which a task of the giving job waits longest |
| `put_off_wait` | the task that waits longest since its job gave its share away, at its start |
| `central_placement` | the placement of the long job with the most tasks by the central scheduler |

The first tenth of a run counts only where nothing else is found: the datacenter is still empty then.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from scheduler_core.run.telling import duration, instant

if TYPE_CHECKING:
    from scheduler_core.run.instructive import Run

_EARLY = 10


def moments_of_shares(run: Run) -> Iterator[dict[str, Any]]:
    """Yield the moments as the contract has them (contract.Moment)."""
    off = _rows(run, run.spec.work.put_off)
    off = off[run.tasks["first_start_ns"][off["task"]] > off["t_ns"]]
    if len(off):
        yield from _given(run, off)
        yield _put_off(run, off)
    yield from _central(run)


def _rows(run: Run, *names: str) -> Any:
    """Return the rows of reasons by name, in order of time; none for names that are empty or unknown."""
    codes = [reason.code for reason in run.spec.reasons if reason.name in names]
    return run.decisions[np.isin(run.decisions["reason"], codes)]


def _late(run: Run, rows: Any) -> Any:
    """Return the rows after the first tenth of the run; all where that leaves none."""
    late = rows[rows["t_ns"] * _EARLY >= int(run.tasks["end_ns"].max(initial=0))]
    return late if len(late) else rows


def _given(run: Run, off: Any) -> Iterator[dict[str, Any]]:
    tasks = run.tasks
    begun, ends = off["t_ns"], tasks["first_start_ns"][off["task"]]
    best: tuple[int, Any, Any] | None = None
    for row in _late(run, _rows(run, *(name for name, move in run.spec.work.moves.items() if move.role == "give"))):
        waits = (begun <= row["t_ns"]) & (ends > row["t_ns"])
        waits &= tasks["job"][off["task"]] != tasks["job"][row["task"]]
        if not waits.any():
            continue
        place = int(np.where(waits, ends, 0).argmax())
        after = int(ends[place] - row["t_ns"])
        if best is None or after > best[0]:
            best = after, row, off[place]
    if best is None:
        return
    after, row, giver = best
    task, waiting = int(row["task"]), int(giver["task"])
    taker_job, giver_job = int(tasks["job"][task]), int(tasks["job"][waiting])
    yield {
        "kind": "given_share",
        "label": "One job gives, another job uses it",
        "t_ns": int(row["t_ns"]),
        "task": task,
        "machines": [int(row["machine"])],
        "sentence": (
            f"Every job has a right to an equal share. Job {giver_job:,} does not need all of its share now: it would "
            f"end no earlier. So its task {waiting:,} waits in the queue, and the job gives that part of its share "
            f"away. Job {taker_job:,} uses it: its task {task:,} starts on machine {int(row['machine']):,}."
        ),
        "tag": f"task {task:,}: job {taker_job:,} uses it",
        "beside": waiting,
        "beside_tag": f"job {giver_job:,} gives: task {waiting:,} waits",
    }


def _put_off(run: Run, off: Any) -> dict[str, Any]:
    tasks = run.tasks
    off = _late(run, off)
    waits = tasks["first_start_ns"][off["task"]] - off["t_ns"]
    row = off[int(waits.argmax())]
    task = int(row["task"])
    job, wait_ns = int(tasks["job"][task]), int(waits.max())
    return {
        "kind": "put_off_wait",
        "label": "A task waits since its job gave its share away",
        "t_ns": int(tasks["first_start_ns"][task]),
        "task": task,
        "machines": [int(tasks["machine"][task])],
        "sentence": (
            f"Task {task:,} of job {job:,} was ready at {instant(int(row['t_ns']) / 1e9)} and waited in the queue for "
            f"{duration(wait_ns / 1e9)}. Its job ends no later for it, so the job gave this part of its share away, "
            f"and tasks of other jobs ran in the meantime."
        ),
        "tag": f"task {task:,} waits: job {job:,} gave its share away",
        "since_ns": int(row["t_ns"]),
    }


def _central(run: Run) -> Iterator[dict[str, Any]]:
    rows = _rows(run, run.spec.work.keeper.placed_by)
    if not len(rows):
        return
    tasks = run.tasks
    jobs = tasks["job"][_late(run, rows)["task"]]
    numbers, counts = np.unique(jobs, return_counts=True)
    job = int(numbers[counts.argmax()])
    mine = rows[tasks["job"][rows["task"]] == job]
    task, machines = int(mine["task"][0]), np.unique(mine["machine"])
    least, most = int(mine["x"].min()), int(mine["x"].max())
    waits = (
        "that has no long task"
        if most == 0
        else f"that is done with its long tasks soonest: in {duration(least / 1e9)} to {duration(most / 1e9)}"
    )
    keeper = run.spec.work.keeper
    yield {
        "kind": "central_placement",
        "label": f"The {keeper.central.lower()} places a long job",
        "t_ns": int(tasks["arrival_ns"][task]),
        "task": task,
        "machines": [int(machine) for machine in machines],
        "sentence": (
            f"Job {job:,} is long, so it goes to the {keeper.central.lower()}, which knows the queues of long tasks "
            f"at all machines. It sends each of the job's {len(mine):,} tasks to a machine {waits}."
        ),
        "tag": f"job {job:,}: {len(mine):,} long tasks",
    }
