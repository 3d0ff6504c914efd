"""Which jobs wait for which, from the dependencies in an imported file; `letting` lets them go.

Source: Slurm's documentation, sbatch: --dependency.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from scheduler_core.engine.records import Ints, Records, records
from scheduler_core.schedulers.slurm.state import BEGAN, ENDED, LINK, NEVER
from scheduler_core.workload.clusters.file import NO_TIME, whole
from scheduler_core.workload.clusters.standing import Standing

_MINUTE_NS = 60 * 10**9


class Waits(NamedTuple):
    """Dependencies: the conditions that each unit waits for, and what each job lets go.

    The links of job j are rows first[j] to first[j + 1] - 1: those at its end, then those at its start by their delay.
    """

    needs: Ints  # (units,)
    link: Records  # (links + 1,) LINK
    first: Ints  # (jobs + 1,)


def none(units: int, jobs: int) -> Waits:
    """Return that no job waits for another."""
    return Waits(np.zeros(units, np.int64), records(1, LINK), np.zeros(jobs + 1, np.int64))


def waits_of(standing: Standing, of_task: Ints, unit: Records, jobs: int) -> Waits:
    """Return the dependencies of the jobs of a file; `of_task` is the job of each task.

    A job that is not in the file has ended. An element of an array stands for the whole array.
    """
    content = standing.content
    table = content.tasks.take(standing.row)
    fields, spec = content.spec_fields(), whole(table, "spec")
    if not any(each.get("dependency") for each in fields):
        return none(len(unit), jobs)
    started = whole(table, "started_ns") != NO_TIME
    of_name: dict[str, set[int]] = {}
    for name, job in zip(table.column("name").to_pylist(), of_task.tolist(), strict=True):
        of_name.setdefault(name.split("_")[0], set()).add(job)
    needs, rows = np.zeros(len(unit), np.int64), list[tuple[int, int, int, int]]()
    for u, task in enumerate(unit["first"].tolist()):
        given = fields[spec[task]].get("dependency")
        if given and standing.machine[task] < 0:
            needs[u] = _links(u, given, of_name, bool(started[task]), rows)
    rows.sort()
    link = records(len(rows) + 1, LINK)
    for at, (_, what, delay_ns, u) in enumerate(rows):
        link[at] = (u, what, delay_ns)
    first = np.searchsorted(np.array([job for job, _, _, _ in rows], np.int64), np.arange(jobs + 1))
    return Waits(needs, link, first.astype(np.int64))


def _links(u: int, given: Any, of_name: dict[str, set[int]], ran: bool, rows: list[tuple[int, int, int, int]]) -> int:
    """Add the links of one unit to (job, what, delay, unit) and return the number of conditions it waits for."""
    count, never = 0, False
    for kind, name, minutes in given["of"]:
        if kind == "afternotok" and not ran:
            never = True
        elif name in of_name:
            what = BEGAN if kind == "after" else ENDED
            rows += [(job, what, minutes * _MINUTE_NS if what == BEGAN else 0, u) for job in sorted(of_name[name])]
            count += len(of_name[name])
        elif given["any"]:
            return 0  # the links above find a unit that waits for nothing
    if given["any"]:
        return 1 if count else NEVER if never else 0
    return count + (NEVER if never else 0)
