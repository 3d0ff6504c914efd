"""Instructive moments of a choice: among jobs, between the two queues of a master, and of a machine with the data.

| kind | the rule |
|---|---|
| `several_jobs` | of starts before which a job that came earlier still has tasks, the one with the most such jobs |
| `two_queues` | of starts from a master's queues, those of long tasks first, the one while most tasks wait in both |
| `reserved_machine` | of starts on a machine reserved for short tasks, the one while most tasks wait in both queues |
| `at_data` | of starts on a machine with the task's data, the one with the most tasks that started together |
| `near_data` | the same of starts in a rack with the data, while none of the machines with the data got the task |

The first tenth of a run counts only without another find: the datacenter is still empty then.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from scheduler_core.run.said import Said, moment, say
from scheduler_core.run.telling import duration

if TYPE_CHECKING:
    from scheduler_core.run.instructive import Run

_EARLY = 10
_LEAST_JOBS = 3
_MOST_LISTED = 8


def moments_of_choices(run: Run) -> Iterator[dict[str, Any]]:
    """Yield the moments as the contract has them (contract.Moment); none of a run with tasks that never started."""
    if not len(run.tasks) or (run.tasks["first_start_ns"] < 0).any():
        return
    if run.spec.work.among_jobs:
        yield from _several_jobs(run)
    if run.spec.work.keeper.two_queues:
        yield from _two_queues(run)
    yield from _data(run, "at_data", run.spec.work.at_data)
    yield from _data(run, "near_data", run.spec.work.near_data)


def _late(run: Run, t_ns: Any) -> Any:
    """Return which of these instants lie after the first tenth of the run; all where none does."""
    late = t_ns * _EARLY >= int(run.tasks["end_ns"].max(initial=0))
    return late if late.any() else np.ones(len(t_ns), bool)


def _several_jobs(run: Run) -> Iterator[dict[str, Any]]:
    jobs, starts = run.tasks["job"], run.tasks["first_start_ns"]
    arrival, last = np.zeros(int(jobs.max()) + 1, np.int64), np.full(int(jobs.max()) + 1, -1, np.int64)
    arrival[jobs] = run.tasks["arrival_ns"]
    np.maximum.at(last, jobs, starts)
    times, first = np.unique(starts, return_index=True)
    arrived = np.searchsorted(np.sort(arrival), times, "right")
    done = np.searchsorted(np.sort(last), times, "right")
    waiting = np.where(_late(run, times), arrived - done, 0)
    for place in np.argsort(-waiting, kind="stable")[:1000]:
        if waiting[place] < _LEAST_JOBS:
            return
        t_ns, task = int(times[place]), int(first[place])
        present = np.flatnonzero((arrival <= t_ns) & (last > t_ns))
        if (present < jobs[task]).any():
            yield moment(
                "several_jobs", (t_ns, task, [int(run.tasks["machine"][task])]), _jobs_told(run, task, present)
            )
            return


def _jobs_told(run: Run, task: int, present: Any) -> list[Said]:
    said = {
        "count": f"{len(present):,}",
        "earliest": f"{int(present[0]):,}",
        "job": f"{int(run.tasks['job'][task]):,}",
        "task": f"{task:,}",
    }
    if len(present) > _MOST_LISTED:
        told = say("many_jobs", **said)
    else:
        told = say("several_jobs", **said, jobs=", ".join(f"{int(each):,}" for each in present))
    return [told, *run.why(task)]


def _two_queues(run: Run) -> Iterator[dict[str, Any]]:
    """Yield the choice between two queues, and the start on a reserved machine, while most tasks wait in both."""
    keeper = run.spec.work.keeper
    assert keeper.two_queues is not None
    short, long, reserved = (_from_queue(run, name) for name in (*keeper.two_queues, keeper.reserved))
    if (run.tasks["attempts"] != 1).any():
        return
    shorts = np.concatenate([short, reserved])
    found = _fullest(run, long, shorts) or _fullest(run, short, long)
    if found is not None:
        row, others = found
        is_long = bool(np.isin(row["reason"], long["reason"]))
        waits = (others, int(row["y"]) - 1) if is_long else (int(row["y"]) - 1, others)
        yield _queue_moment(run, "two_queues", row, waits, "takes_long" if is_long else "takes_short")
    found = _fullest(run, reserved, long)
    if found is not None:
        row, others = found
        yield _queue_moment(run, "reserved_machine", row, (int(row["y"]) - 1, others), "reserved")


def _fullest(run: Run, rows: Any, others: Any) -> tuple[Any, int] | None:
    """Return the row of a start while most tasks stood in the shorter queue, and how many stood in the other queue."""
    best: tuple[int, Any, int] | None = None
    for row in rows[_late(run, rows["t_ns"])]:
        stood = (
            (others["to"] == row["to"]) & (others["t_ns"] - others["x"] < row["t_ns"]) & (others["t_ns"] > row["t_ns"])
        )
        least = min(int(stood.sum()), int(row["y"]) - 1)
        if least > 0 and (best is None or least > best[0]):
            best = least, row, int(stood.sum())
    return None if best is None else best[1:]


def _queue_moment(run: Run, kind: str, row: Any, waits: tuple[int, int], name: str) -> dict[str, Any]:
    task, machine = int(row["task"]), int(row["machine"])
    said = {"task": f"{task:,}", "keeper": f"{int(row['to']):,}", "short": f"{waits[0]:,}", "long": f"{waits[1]:,}"}
    took = say(name, task=f"{task:,}", machine=f"{machine:,}", time=duration(int(row["x"]) / 1e9))
    return moment(kind, (int(row["t_ns"]), task, [machine]), [say("queues", **said), took])


def _from_queue(run: Run, name: str) -> Any:
    """Return the starts of tasks that had waited in a queue: x is for how long, y the tasks in it with this one."""
    codes = [reason.code for reason in run.spec.reasons if reason.name == name]
    return run.decisions[np.isin(run.decisions["reason"], codes) & (run.decisions["x"] > 0)]


def _data(run: Run, kind: str, reason: str) -> Iterator[dict[str, Any]]:
    codes = [each.code for each in run.spec.reasons if each.name == reason]
    rows = run.decisions[np.isin(run.decisions["reason"], codes)]
    if not len(rows):
        return
    rows = rows[_late(run, rows["t_ns"])]
    _, of, counts = np.unique(rows["t_ns"], return_inverse=True, return_counts=True)
    row = rows[int(counts[of].argmax())]
    task, machine = int(row["task"]), int(row["machine"])
    stored = sorted(run.data_of(task))
    if not stored or (machine in stored) != (kind == "at_data"):
        return
    told = say("data", task=f"{task:,}", machines=", ".join(f"{each:,}" for each in stored))
    yield moment(kind, (int(row["t_ns"]), task, [machine, *stored]), [told, *run.why(task)])
