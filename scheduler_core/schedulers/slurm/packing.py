"""Build the jobs, accounts and partitions of Slurm from a world at time zero, and from an imported cluster's file."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.records import NOBODY, TASK_UNSCHEDULABLE, Ints, Records, World, records
from scheduler_core.experiment import effective_queues
from scheduler_core.experiment.derived import has_priorities
from scheduler_core.schedulers.shared.bound import bound_jobs
from scheduler_core.schedulers.shared.probing.estimates import estimates_ns
from scheduler_core.schedulers.slurm.dependencies import Waits, none, waits_of
from scheduler_core.schedulers.slurm.params import SlurmParams
from scheduler_core.schedulers.slurm.state import ACCOUNT, UNIT
from scheduler_core.workload.clusters.file import NO_TIME, ClusterFile, whole
from scheduler_core.workload.clusters.standing import Standing, machines_at
from scheduler_core.world.start import Start

_MOST = 1 << 30
_S = 1e9


class Imported(NamedTuple):
    """What a file of Slurm says beside the workload, by task (T,); accounts are numbered."""

    limit_ns: Ints  # -1 where no limit is known
    account: Ints
    accounts: int
    partition: Ints  # rows of `allowed`
    tier: Ints
    allowed: npt.NDArray[np.uint8]  # (partitions, machines)
    began_ns: Ints  # 0, or below for tasks that ran before time 0


class Jobs(NamedTuple):
    """The arrays of jobs, accounts and partitions."""

    unit: Records
    account: Records
    allowed: npt.NDArray[np.uint8]
    per_machine: int
    waits: Waits
    began_ns: Ints  # (tasks,): 0, or below for tasks that ran before time 0


def is_slurm(standing: Standing | None) -> bool:
    """Return whether a workload comes from the file of a Slurm cluster."""
    return standing is not None and standing.content is not None and standing.content.head.get("source") == "slurm"


def jobs_of(start: Start[SlurmParams]) -> Jobs:
    """Return the jobs; each task's `kind` becomes its job, and before that it is its priority."""
    world, params = start.world, start.params
    imported = _imported(start) if is_slurm(start.standing) else None
    per_machine = params.tasks_per_machine or (1 if imported else _MOST)
    priority = np.zeros(len(world.task), np.int64)
    if has_priorities(start.experiment):
        priority = world.task["kind"].astype(np.int64)
    queue = world.job["queue"][world.task["job"]].astype(np.int64)
    allowed = imported.allowed if imported else np.ones((1, len(world.machine)), np.uint8)
    partition = imported.partition if imported else np.zeros(len(world.task), np.int64)
    most = _most(world, allowed, per_machine)
    together = _together(start, most.sum(axis=2), partition)
    unit = _units(world, together)
    of = unit["first"] if len(world.task) else np.zeros(0, np.int64)
    count = len(of)
    if not count:
        waits = none(1, len(world.job))
        return Jobs(records(1, UNIT), records(1, ACCOUNT), allowed, per_machine, waits, np.zeros(0, np.int64))
    shares = np.array([each.share for each in effective_queues(start.experiment)])
    if imported and imported.accounts > 1:
        shares = np.full(imported.accounts, 1.0 / imported.accounts)
    account = records(len(shares), ACCOUNT)
    account["share"], account["factor"] = shares / max(shares.sum(), 1e-12), 1.0
    unit["partition"] = partition[of]
    unit["account"] = imported.account[of] if imported and imported.accounts > 1 else queue[of]
    unit["tier"] = imported.tier[of] if imported else 0
    unit["limit_ns"] = _limits(start, unit, imported)
    unit["qos_factor"] = priority[of] / max(int(priority.max()), 1)
    ranks = np.array([each.priority or 0 for each in effective_queues(start.experiment)], np.float64)
    unit["partition_factor"] = (ranks / max(ranks.max(), 1.0))[queue[of]]
    _sizes(start, unit, most)
    unit["ready_ns"] = world.job["arrival_ns"][unit["job"]]
    waits = none(count, len(world.job))
    if imported and start.standing is not None:
        waits = waits_of(start.standing, world.task["job"], unit, len(world.job))
    unit["needs"] = waits.needs
    began = imported.began_ns if imported else np.zeros(len(world.task), np.int64)
    return Jobs(unit, account, allowed, per_machine, waits, began)


def _most(world: World, allowed: npt.NDArray[np.uint8], per_machine: int) -> Ints:
    """Return how many tasks of each class each empty machine holds: int64 (partitions, classes, machines)."""
    found = np.zeros((len(allowed), len(world.demand), len(world.machine)), np.int64)
    for kind, (demand, asks) in enumerate(zip(world.demand.tolist(), world.asks.tolist(), strict=True)):
        many = np.full(len(world.machine), per_machine, np.int64)
        for r, amount in enumerate(demand):
            if amount > 0:
                many = np.minimum(many, world.capacity[:, r] // amount)
        many[(world.machine["offers"] & asks) != asks] = 0
        found[:, kind] = many * (allowed > 0)
    return found


def _together(start: Start[SlurmParams], room: Ints, partition: Ints) -> npt.NDArray[np.bool_]:
    """Return which jobs start as a whole, (jobs,): gangs; and jobs of equal tasks that all machines together hold.

    `room` is (partitions, classes): the tasks that empty machines hold.
    """
    world = start.world
    bound = bound_jobs(start.experiment, world, np.full(len(world.machine), _MOST, np.int64))
    whole_jobs = bound.gang.copy()
    if not start.params.start_together or not len(world.task):
        return whole_jobs
    can = world.task["state"] != TASK_UNSCHEDULABLE
    job, demand = world.task["job"][can], world.task["demand"][can].astype(np.int64)
    jobs = len(world.job)
    low, high = np.full(jobs, len(world.demand), np.int64), np.full(jobs, -1, np.int64)
    np.minimum.at(low, job, demand)
    np.maximum.at(high, job, demand)
    count = np.bincount(job, minlength=jobs)
    part = np.zeros(jobs, np.int64)
    part[world.task["job"]] = partition
    equal = (low == high) & (count > 0)
    fits: npt.NDArray[np.bool_] = equal & (room[part, np.where(equal, low, 0)] >= count)
    return whole_jobs | fits


def _units(world: World, together: npt.NDArray[np.bool_]) -> Records:
    """Return UNIT records: one for each job that starts as a whole, one for each task of the others."""
    job = world.task["job"].astype(np.int64)
    begins = np.ones(len(job), np.bool_)
    if len(job):
        begins[1:] = (job[1:] != job[:-1]) | ~together[job[1:]]
    first = np.flatnonzero(begins)
    unit = records(max(len(first), 1), UNIT)
    if len(first):
        unit["first"], unit["job"] = first, job[first]
        unit["tasks"] = np.diff(np.append(first, len(job)))
        world.task["kind"] = np.cumsum(begins) - 1
    unit["planned_ns"] = NOBODY
    return unit


def _limits(start: Start[SlurmParams], unit: Records, imported: Imported | None) -> Ints:
    """Return each job's time limit in ns: the imported one, else its longest task, times the factor and the error.

    The time of the messages about start and end is part of it; what ran before time 0 is not.
    """
    world, params = start.world, start.params
    own = world.task["own_ns"].astype(np.int64)
    longest = np.maximum.reduceat(own, unit["first"])
    of_job = np.zeros(len(world.job), np.int64)
    np.maximum.at(of_job, unit["job"], longest)
    scaled = np.minimum(np.rint(of_job * params.time_limit_factor), 2.0**61).astype(np.int64)
    factor = estimates_ns(params, start.experiment.seed, scaled) / np.maximum(of_job, 1)
    limit = np.minimum(np.rint(longest * factor[unit["job"]]), 2.0**61).astype(np.int64)
    if imported is not None:
        given = imported.limit_ns[unit["first"]]
        limit = np.where(given >= 0, given, limit) + imported.began_ns[unit["first"]]
    delay_ns = round(start.experiment.network.message_delay_s * 1e9)
    found: Ints = np.maximum(limit, 1) + 2 * delay_ns
    return found


def _sizes(start: Start[SlurmParams], unit: Records, most: Ints) -> None:
    """Write both size factors: the mean of the job's part of the machines and of the CPUs, and of what it leaves."""
    world = start.world
    demand = world.task["demand"][unit["first"]]
    largest = np.maximum(most.max(axis=2)[unit["partition"], demand], 1)
    machines = np.minimum(-(-unit["tasks"] // largest), len(world.machine)) / len(world.machine)
    cpu = cpu_of(start)
    cpus = unit["tasks"] * world.demand[demand, cpu] / max(int(world.capacity[:, cpu].sum()), 1)
    unit["size_large"] = np.clip((machines + cpus) / 2, 0.0, 1.0)
    unit["size_small"] = np.clip(((1 - machines) + (1 - cpus)) / 2, 0.0, 1.0)


def cpu_of(start: Start[Any]) -> int:
    """Return the number of the resource that is billed: CPUs."""
    return start.cluster.names.index("cpus") if "cpus" in start.cluster.names else 0


def _imported(start: Start[SlurmParams]) -> Imported:
    """Return what the file of a Slurm cluster says."""
    standing = start.standing
    assert standing is not None
    content: ClusterFile = standing.content
    table = content.tasks.take(standing.row)
    fields, spec = content.spec_fields(), whole(table, "spec")
    limits = np.array([round(each["time_limit_s"] * _S) if each.get("time_limit_s") else -1 for each in fields])
    names = sorted({str(each.get("account", "")) for each in fields})
    of_spec = np.array([names.index(str(each.get("account", ""))) for each in fields])
    began = whole(table, "started_ns")
    runs = standing.machine >= 0
    began = np.where(runs & (began != NO_TIME), np.minimum(began, 0), 0)
    found = _partitions(start, content)
    number = {name: row for row, name in enumerate(found)}
    partition = np.array([number.get(name, 0) for name in table.column("queue").to_pylist()], np.int64)
    rows = list(found.values())
    tiers = np.array([tier for _, tier in rows], np.int64)
    allowed = np.stack([row for row, _ in rows])
    if (allowed == allowed[0]).all():
        tier, partition, allowed = tiers[partition], np.zeros_like(partition), allowed[:1]
    else:
        tier = tiers[partition]
    return Imported(limits[spec], of_spec[spec], len(names), partition, tier, allowed, began)


def _partitions(start: Start[SlurmParams], content: ClusterFile) -> dict[str, tuple[npt.NDArray[np.uint8], int]]:
    """Return each partition's machines, (machines,), and its tier; '' is one that may use all machines."""
    machines = len(start.world.machine)
    places = np.stack([whole(content.machines, name) for name in ("cluster", "kind", "place")], axis=1)
    at = machines_at(places, start.experiment.topology).tolist()
    number = dict(zip(content.machines.column("name").to_pylist(), at, strict=True))
    added = np.ones(machines, np.uint8)  # machines that the file does not know belong to every partition
    added[[one for one in at if one >= 0]] = 0
    found = {"": (np.ones(machines, np.uint8), 1)}
    for each in content.further("Partition"):
        mine = added.copy()
        mine[[number[node] for node in each.get("nodes", []) if number.get(node, -1) >= 0]] = 1
        tier = each.get("priority_tier")
        found[each["name"]] = (mine if mine.any() else np.ones(machines, np.uint8), 1 if tier is None else int(tier))
    return found
