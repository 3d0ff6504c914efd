"""Instructive moments of shares that jobs give away, and of a central scheduler that places long jobs.

| kind | the rule |
|---|---|
| `given_share` | of starts on a share given away, the one after which a task of the giving job waits longest |
| `put_off_wait` | the task that waits longest since its job gave its share away, at its start |
| `central_placement` | the placement of the long job with the most tasks by the central scheduler |

The first tenth of a run counts only without another find: the datacenter is still empty then.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from scheduler_core.run.moment_texts import TAGS
from scheduler_core.run.said import fill, moment, say
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
    jobs = {"taker": f"{int(tasks['job'][task]):,}", "giver": f"{int(tasks['job'][waiting]):,}"}
    latest = _latest(tasks, giver)
    said = {**jobs, "waiting": f"{waiting:,}", "task": f"{task:,}", "machine": f"{int(row['machine']):,}"}
    told = say("given_late", **said, until=_told(latest)) if latest else say("given", **said)
    yield moment(
        "given_share",
        (int(row["t_ns"]), task, [int(row["machine"])]),
        [told],
        tag=fill(TAGS["uses"], task=f"{task:,}", taker=jobs["taker"]),
        beside=waiting,
        beside_tag=fill(TAGS["gives"], giver=jobs["giver"], waiting=f"{waiting:,}"),
        **latest,
    )


def _latest(tasks: Any, row: Any) -> dict[str, Any]:
    """Return up to when the plan lets a task wait: nothing if it started later, by a later plan."""
    until = int(row["t_ns"]) + int(row["x"])
    return {"latest_ns": until} if int(tasks["first_start_ns"][row["task"]]) <= until else {}


def _told(latest: dict[str, Any]) -> str:
    return instant(latest["latest_ns"] / 1e9)


def _put_off(run: Run, off: Any) -> dict[str, Any]:
    tasks = run.tasks
    off = _late(run, off)
    waits = tasks["first_start_ns"][off["task"]] - off["t_ns"]
    row = off[int(waits.argmax())]
    task = int(row["task"])
    which = {"task": f"{task:,}", "job": f"{int(tasks['job'][task]):,}"}
    at, time = instant(int(row["t_ns"]) / 1e9), duration(int(waits.max()) / 1e9)
    latest = _latest(tasks, row)
    said = {**which, "at": at, "time": time}
    return moment(
        "put_off_wait",
        (int(tasks["first_start_ns"][task]), task, [int(tasks["machine"][task])]),
        [say("put_off_late", **said, until=_told(latest)) if latest else say("put_off", **said)],
        tag=fill(TAGS["put_off"], **which),
        since_ns=int(row["t_ns"]),
        **latest,
    )


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
    central = run.spec.work.keeper.central.lower()
    said = {"job": f"{job:,}", "tasks": f"{len(mine):,}"}
    told = say(
        "central_free" if most == 0 else "central",
        **said,
        role=central,
        **({} if most == 0 else {"least": duration(least / 1e9), "most": duration(most / 1e9)}),
    )
    yield moment(
        "central_placement",
        (int(tasks["arrival_ns"][task]), task, [int(machine) for machine in machines]),
        [told],
        role=central,
        tag=fill(TAGS["central"], **said),
    )
