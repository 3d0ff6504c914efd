"""Which jobs wait for which, from the dependencies in an imported file; `letting` lets them go.

Source: Slurm's documentation, sbatch: --dependency.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from scheduler_core.engine.records import Ints, Records, records
from scheduler_core.schedulers.slurm.state import BEGAN, ENDED, GROUP, LINK, NEVER
from scheduler_core.workload.clusters.file import NO_TIME, whole
from scheduler_core.workload.clusters.standing import Standing

_MINUTE_NS = 60 * 10**9


class Waits(NamedTuple):
    """Dependencies: the conditions that each unit waits for, and what each job lets go.

    The links of job j are rows first[j] to first[j + 1] - 1: those at its end, then those at its start by their delay.
    Behind the jobs come groups of them.
    """

    needs: Ints  # (units,)
    link: Records  # (links + 1,) LINK
    first: Ints  # (jobs + groups + 1,)
    group: Records  # (groups or 1,) GROUP


def none(units: int, jobs: int) -> Waits:
    """Return that no job waits for another."""
    return Waits(np.zeros(units, np.int64), records(1, LINK), np.zeros(jobs + 1, np.int64), records(1, GROUP))


def waits_of(standing: Standing, of_task: Ints, unit: Records, jobs: int) -> Waits:
    """Return the dependencies of the jobs of a file; `of_task` is the job of each task."""
    content = standing.content
    table = content.tasks.take(standing.row)
    fields, spec = content.spec_fields(), whole(table, "spec")
    if not any(each.get("dependency") for each in fields):
        return none(len(unit), jobs)
    started = whole(table, "started_ns") != NO_TIME
    names = table.column("name").to_pylist()
    links = _Links(names, of_task, jobs)
    needs = np.zeros(len(unit), np.int64)
    for u, task in enumerate(unit["first"].tolist()):
        given = fields[spec[task]].get("dependency")
        if given and standing.machine[task] < 0:
            needs[u] = links.add(u, given, names[task], ran=bool(started[task]))
    rows = sorted(links.rows)
    link = records(len(rows) + 1, LINK)
    for at, (_, what, delay_ns, u) in enumerate(rows):
        link[at] = (u, what, delay_ns)
    places = np.arange(jobs + len(links.left) + 1)
    first = np.searchsorted(np.array([source for source, _, _, _ in rows], np.int64), places)
    group = records(max(len(links.left), 1), GROUP)
    group["left"][: len(links.left)] = links.left
    return Waits(needs, link, first.astype(np.int64), group)


class _Links:
    """Links (job or group, what, delay, unit or group) of the conditions that were added.

    `left` has the number of jobs of each group.
    """

    def __init__(self, names: list[str], of_task: Ints, jobs: int) -> None:
        self.rows: list[tuple[int, int, int, int]] = []
        self.left: list[int] = []
        self._jobs = jobs
        self._of_name: dict[str, set[int]] = {}
        self._source: dict[tuple[tuple[str, ...], int], int] = {}
        for name, job in zip(names, of_task.tolist(), strict=True):
            self._of_name.setdefault(name, set()).add(job)
            if "_" in name:
                self._of_name.setdefault(name.split("_")[0], set()).add(job)

    def add(self, u: int, given: Any, own: str, *, ran: bool) -> int:
        """Add the links of one unit, `own` being its name, and return the number of conditions that it waits for.

        A job that is not in the file has ended. Beside others of which one is enough, `singleton` is one condition,
        whatever the number of jobs that it names.
        """
        count, never = 0, False
        together = tuple(name for kind, name, _ in given["of"] if kind == "singleton") if given["any"] else ()
        for kind, name, minutes in given["of"]:
            if together and kind == "singleton":
                continue
            named = self._named(kind, name, own)
            if kind == "afternotok" and not ran:
                never = True
            elif named in self._of_name:
                what = BEGAN if kind == "after" else ENDED
                delay_ns = minutes * _MINUTE_NS if what == BEGAN else 0
                self.rows.append((self._source_of((named,), what), what, delay_ns, u))
                count += 1
            elif given["any"]:
                return 0  # the links above find a unit that waits for nothing
        if together:
            self.rows.append((self._source_of(together, ENDED), ENDED, 0, u))
            count += 1
        if given["any"]:
            return 1 if count else NEVER if never else 0
        return count + (NEVER if never else 0)

    def _named(self, kind: str, name: str, own: str) -> str:
        """Return the job, array or element that a condition means: for `aftercorr`, the element of the own number."""
        if kind != "aftercorr":
            return name
        array = name.split("_")[0]
        element = f"{array}_{own.partition('_')[2]}"
        return element if element in self._of_name else array

    def _source_of(self, names: tuple[str, ...], what: int) -> int:
        """Return the job with one of the names, or the group of the jobs with them."""
        jobs = set[int]().union(*(self._of_name[name] for name in names))
        if len(jobs) == 1:
            return next(iter(jobs))
        if (names, what) not in self._source:
            self._source[names, what] = self._jobs + len(self.left)
            self.left.append(len(jobs))
            self.rows += [(job, what, 0, -len(self.left)) for job in jobs]
        return self._source[names, what]
