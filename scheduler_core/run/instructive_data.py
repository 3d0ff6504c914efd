"""The instructive moment of a job that lets others go first until a machine with its data has room.

| kind | the rule |
|---|---|
| `skipped_turn` | of starts beside their data, the one before which its job let others go first for longest |

The first tenth of a run counts only without another find: the datacenter is still empty then.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from scheduler_core.run.moment_texts import TAGS
from scheduler_core.run.said import fill, moment, say
from scheduler_core.run.telling import duration

if TYPE_CHECKING:
    from scheduler_core.run.instructive import Run

_EARLY = 10


def moments_of_data(run: Run) -> Iterator[dict[str, Any]]:
    """Yield the moment as the contract has it (contract.Moment)."""
    codes = [reason.code for reason in run.spec.reasons if reason.name == run.spec.work.beside_data]
    rows = run.decisions[np.isin(run.decisions["reason"], codes) & (run.decisions["x"] > 0)]
    if not len(rows):
        return
    tasks = run.tasks
    late = rows[rows["t_ns"] * _EARLY >= int(tasks["end_ns"].max(initial=0))]
    rows = late if len(late) else rows
    row = rows[int(rows["x"].argmax())]
    task, machine, at = int(row["task"]), int(row["machine"]), int(row["t_ns"])
    since, job = at - int(row["x"]), int(tasks["job"][task])
    between = (tasks["first_start_ns"] >= since) & (tasks["first_start_ns"] < at) & (tasks["job"] != job)
    others = int(between.sum())
    said = {"task": f"{task:,}", "job": f"{job:,}", "machine": f"{machine:,}", "time": duration(int(row["x"]) / 1e9)}
    told = [say("skipped", **said), *([say("skipped_others", tasks=f"{others:,}")] if others > 1 else [])]
    yield moment(
        "skipped_turn",
        (at, task, [machine, *run.data_of(task)]),
        [*told, say("skipped_end", **said)],
        tag=fill(TAGS["skipped"], **said),
        since_ns=since,
    )
