"""Rules about racks for schedulers with probes: bind tasks to racks, and draw workers within them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from scheduler_core.constraints import rack_rules
from scheduler_core.constraints.racks import AFFINITY, ANYWHERE, SPREAD, racks_of_tasks
from scheduler_core.engine.records import CAUSE_RACKS, TASK_UNSCHEDULABLE, Records, World, records
from scheduler_core.experiment import Experiment
from scheduler_core.schedulers.shared.probing.packing import Numbers, Places, machines_able
from scheduler_core.schedulers.shared.probing.state import ELIGIBLE

Flags = npt.NDArray[np.bool_]


def bind_to_racks(
    experiment: Experiment, world: World, long: Flags | None = None, first_long: int = 0, soft: int = 0
) -> Places:
    """Return each task's rack, int64 (tasks,), ANYWHERE without a rule; tasks without an able rack cannot run.

    `long` (jobs,) marks the jobs whose tasks belong on the machines from `first_long` on; absent: none. `soft` is the
    mask of the constraints that a task may do without. A rack that offers everything goes before one that lacks what
    is soft, and, for a long job, a rack with machines for long tasks before one without.
    """
    rules = rack_rules(experiment, world.job)
    rack = np.full(len(world.task), ANYWHERE, np.int64)
    if not rules.any():
        return rack
    long = np.zeros(len(rules), np.bool_) if long is None else long
    can = np.flatnonzero(world.task["state"] != TASK_UNSCHEDULABLE)
    job, kind = world.task["job"][can], world.task["demand"][can].astype(np.int64)
    for which in (False, True):
        some = np.where(long == which, rules, 0).astype(np.int8)
        if some.any():
            able = _wishes(world, first_long if which else 0, soft)
            bound = _bound(experiment.seed, some, job, kind, able)
            rack[can] = np.where(some[job] > 0, bound, rack[can])
    stuck = rack == int(world.machine["rack"].max()) + 1
    world.task["state"][stuck], world.task["place"][stuck] = TASK_UNSCHEDULABLE, CAUSE_RACKS
    return rack


def _wishes(world: World, first: int, soft: int) -> list[Flags]:
    """Return tables (classes, racks) of the racks with a machine for a class, the most wanted table first."""
    tables = []
    for mask in (0, soft) if soft else (0,):
        tables += [holders_by_rack(world, mask, start) > 0 for start in ((first, 0) if first else (0,))]
    return tables


def _bound(seed: int, rules: npt.NDArray[np.int8], job: Places, kind: Places, able: Sequence[Flags]) -> Places:
    """Return the racks of the tasks of jobs with a rule, each by the first table of `able` that has one.

    Tasks that spread look for one class by class; tasks that stay together need one rack for all of them.
    """
    has = np.stack([table.any(axis=1) for table in able])
    least = np.where(has.any(axis=0), has.argmax(axis=0), len(able) - 1)
    each = np.stack(able)[least, np.arange(has.shape[1])]
    apart = np.where(rules == SPREAD, rules, 0).astype(np.int8)
    racks = racks_of_tasks(seed, apart, job, kind, each)
    left = np.where(rules == AFFINITY, rules, 0).astype(np.int8)
    for table in able:
        found = racks_of_tasks(seed, left, job, kind, table)
        racks = np.where(left[job] > 0, found, racks)
        still = np.zeros_like(left)
        still[job[(left[job] > 0) & (found == table.shape[1])]] = AFFINITY
        left = still
    return racks


def draw_within_racks(
    world: World, group: Records, order: Numbers, rack: Places, eligible: Records, relaxed: Numbers | None = None
) -> Records:
    """Return `eligible` with a row for each demand within a rack that a group is bound to; write the groups'.

    With `relaxed` (classes,), the class of each demand without what is soft, its row within the rack is there, too.
    """
    its_rack = rack[order[group["next"]]] if len(group) else np.zeros(0, np.int64)
    bound = np.flatnonzero(its_rack != ANYWHERE)
    if not len(bound):
        return eligible
    wanted = np.column_stack([group["demand"][bound], its_rack[bound]])
    again = wanted[:0] if relaxed is None else np.column_stack([relaxed[wanted[:, 0]], wanted[:, 1]])
    pairs, which = np.unique(np.concatenate([wanted, again]), axis=0, return_inverse=True)
    racks = world.machine["rack"]  # a rack is a run of machines
    rows = records(len(pairs), ELIGIBLE)
    rows["machines"] = holders_by_rack(world)[pairs[:, 0], pairs[:, 1]]
    rows["first"] = np.searchsorted(racks, pairs[:, 1])
    rows["positions"] = np.searchsorted(racks, pairs[:, 1], side="right") - rows["first"]
    rows["asks"], rows["demand"] = world.asks[pairs[:, 0]], pairs[:, 0]
    group["able"][bound] = len(eligible) + which.ravel()[: len(bound)]
    more = records(len(eligible) + len(rows), ELIGIBLE)
    more[: len(eligible)], more[len(eligible) :] = eligible, rows
    return more


def relaxed_rows(eligible: Records, relaxed: Numbers) -> Numbers:
    """Return the row of each row of `eligible` without what is soft, int32 (rows,); `relaxed` (classes,) by class."""
    rows = np.arange(len(eligible), dtype=np.int32)
    rows[: len(relaxed)] = relaxed
    within = {
        (int(row.demand), int(row.first)): number for number, row in enumerate(eligible) if number >= len(relaxed)
    }
    for number in range(len(relaxed), len(eligible)):
        row = eligible[number]
        rows[number] = within[int(relaxed[row.demand]), int(row.first)]
    return rows


def holders_by_rack(world: World, without: int = 0, first: int = 0) -> npt.NDArray[np.int64]:
    """Return how many machines of each rack could hold each class of demand, (classes, racks).

    Constraints in the mask `without` do not count, nor do machines before `first`.
    """
    racks = int(world.machine["rack"].max()) + 1
    found = []
    for demand, asks in zip(world.demand[:-1], world.asks, strict=False):
        able = machines_able(world, demand, asks & ~without)
        found.append(np.bincount(world.machine["rack"][able[able >= first]], minlength=racks))
    return np.array(found)
