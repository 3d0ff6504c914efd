"""Build the arrays of a user's own policy from a world at time zero."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.records import NOBODY, Ints, Records, World, records
from scheduler_core.policy import HOOKS, WORDS, Policy, Word, nodes
from scheduler_core.schedulers.own.params import OwnParams
from scheduler_core.schedulers.own.state import (
    COMPUTED,
    ENTRY,
    HOOK,
    KIND,
    MOST_VICTIMS,
    OF_ALL,
    OF_JOB,
    OF_MACHINE,
    OF_TASK,
    OF_VICTIM,
    SOURCE,
)
from scheduler_core.schedulers.own.turning import KEPT_NEEDS, wants_every_word
from scheduler_core.schedulers.shared.probing.estimates import estimates_ns
from scheduler_core.world.start import Start

Floats = npt.NDArray[np.float64]

MOST_KEPT = 8_000_000
"""Largest number of scores that are kept; policies on larger experiments compute them for each decision."""


class Columns(NamedTuple):
    """The values of words that never change, and where each word's values are."""

    source: Records
    of_task: Floats
    of_job: Floats
    of_machine: Floats
    of_all: Floats


def columns(start: Start[OwnParams], policy: Policy, priority: Ints) -> Columns:
    """Return the columns of the words that a policy reads, or of all words if it asks for them (turning)."""
    source = records(len(WORDS), SOURCE)
    source["kind"] = COMPUTED
    found: dict[int, list[Any]] = {OF_TASK: [], OF_JOB: [], OF_MACHINE: [], OF_ALL: []}
    known: dict[tuple[int, str], int] = {}
    for word in WORDS if wants_every_word(policy) else policy.words:
        if not word.fixed:
            continue
        kind, name = _place(word)
        if (kind, name) not in known:
            known[kind, name] = len(found[kind])
            found[kind].append(_column(start, kind, name, priority))
        source[word.number]["kind"] = OF_VICTIM if word.of == "victim" else kind
        source[word.number]["column"] = known[kind, name]
    world = start.world
    sizes = {OF_TASK: len(world.task), OF_JOB: len(world.job), OF_MACHINE: len(world.machine)}
    tables = {
        kind: np.ascontiguousarray(
            np.column_stack(found[kind]) if found[kind] else np.zeros((size and 1, 1)), np.float64
        )
        for kind, size in sizes.items()
    }
    return Columns(
        source, tables[OF_TASK], tables[OF_JOB], tables[OF_MACHINE], np.array(found[OF_ALL] or [0.0], np.float64)
    )


def _place(word: Word) -> tuple[int, str]:
    """Return which table has a word's column, and its name there."""
    if word.of == "victim":
        return OF_TASK, word.name
    if word.of in ("job", "queue"):
        return OF_JOB, word.text
    if word.of == "task" and word.name in ("arrival_s", "estimate_s"):
        return OF_TASK, word.name
    return {"task": OF_TASK, "machine": OF_MACHINE, "rack": OF_MACHINE, "cluster": OF_ALL}[word.of], (
        word.name if word.of != "rack" else word.text
    )


def _column(start: Start[OwnParams], kind: int, name: str, priority: Ints) -> Any:
    """Return the values of a word that never changes."""
    if kind == OF_TASK:
        return _of_task(start, name, priority)
    if kind == OF_JOB:
        return _of_job(start, name)
    world = start.world
    if kind == OF_ALL:
        return float(len(world.machine)) if name == "machines" else _amount(start, world.capacity.sum(axis=0), name)
    rack = world.machine["rack"].astype(np.int64)
    if name == "rack.number":
        return rack
    if name == "rack.machines":
        return np.bincount(rack)[rack]
    if name == "number":
        return np.arange(len(world.machine))
    if name == "constraints":
        return _bits(np.where(world.machine["offers"] == -1, 0, world.machine["offers"]))
    return _amount(start, world.capacity, name)


def _amount(start: Start[OwnParams], amounts: Ints, name: str) -> Any:
    """Return the amounts of a resource in its unit; `amounts` has the resources in its last axis."""
    names = start.cluster.names
    if name not in names:
        return np.zeros(amounts.shape[:-1])
    return amounts[..., names.index(name)] / 1000.0


def _bits(masks: Any) -> Floats:
    return np.array([int(mask).bit_count() for mask in masks.tolist()], np.float64)


def _of_task(start: Start[OwnParams], name: str, priority: Ints) -> Any:
    world, task = start.world, start.world.task
    demand, job = task["demand"], task["job"]
    if name == "priority":
        return priority
    if name == "number":
        return np.arange(len(task)) - world.job["first_task"][job]
    if name == "arrival_s":
        return world.job["arrival_ns"][job] / 1e9
    if name == "estimate_s":
        return estimates_ns(start.params, start.experiment.seed, world.job["mean_ns"])[job] / 1e9
    if name == "duration_s":
        return task["own_ns"] / 1e9
    if name == "constraints":
        return _bits(world.asks)[demand]
    if name == "dominant_share":
        return dominant(world)[demand]
    return _amount(start, world.demand, name)[demand]


def dominant(world: World) -> Floats:
    """Return the dominant share of a task of each class of demand."""
    total = world.capacity.sum(axis=0)
    share: Floats = (world.demand / np.maximum(total, 1))[:, total > 0].max(axis=1, initial=0.0)
    return share


def _of_job(start: Start[OwnParams], name: str) -> Any:
    world = start.world
    job, of = world.job, world.task["job"]
    if name == "job.number":
        return np.arange(len(job))
    if name == "job.tasks":
        return job["tasks"]
    if name == "job.arrival_s":
        return job["arrival_ns"] / 1e9
    if name == "job.mean_s":
        return job["mean_ns"] / 1e9
    if name == "job.work_s":
        return np.bincount(of, world.task["own_ns"] / 1e9, len(job))
    if name == "job.longest_s":
        longest = np.zeros(len(job), np.int64)
        np.maximum.at(longest, of, world.task["own_ns"])
        return longest / 1e9
    return job["queue"]


def hooks_of(policy: Policy) -> Records:
    """Return HOOK records: (5,)."""
    hooks = records(len(HOOKS), HOOK)
    for place, hook in enumerate(HOOKS):
        code = policy.hooks.get(hook.name)
        if code is not None:
            hooks[place]["first"], hooks[place]["machine"] = code.first, code.machine
            hooks[place]["end"], hooks[place]["result"], hooks[place]["there"] = code.end, code.result, 1
    return hooks


def needs_of(policy: Policy, *names: str) -> int:
    """Return what some hooks of a policy depend on."""
    found = 0
    for name in names:
        if name in policy.hooks:
            found |= policy.hooks[name].needs
    return found


def cost_of(policy: Policy, machines: int, rack: int, entries: int) -> int:
    """Return the most steps of one decision.

    It compares the order of all `entries`, filters and scores every machine, and with preemption looks at the tasks of
    every machine.
    """
    victims = machines * MOST_VICTIMS if "preempt" in policy.hooks else 0
    there = machines if victims else 0
    # How often the rows are computed that do not depend on the machine, and how often the others.
    often = {
        "order": (entries, entries), "filter": (1 + there, machines + there), "score": (1 + there, machines + there),
        "preempt": (victims, victims), "victim": (victims, victims),
    }  # fmt: skip
    steps = machines
    for name, (prepared, answered) in often.items():
        code = policy.hooks.get(name)
        at = code.first if code else 0
        while code is not None and at < code.end:
            times = prepared if at < code.machine else answered
            row = policy.rows[at]
            if row[0] == nodes.FOLD:
                steps += times * (rack if row[2] == nodes.RACK else machines) * int(row[5] - at)
                at = int(row[5])
            else:
                steps += times
                at += 1
    return steps


class Waiting(NamedTuple):
    """Entries and kinds of all tasks, and the number of trees of kept scores."""

    entry: Records
    kind: Records
    trees: int


def waiting(start: Start[OwnParams], policy: Policy, priority: Ints) -> Waiting:
    """Return the entries and kinds of all tasks; each task's `kind` becomes its entry."""
    world, params = start.world, start.params
    task, schedulers = world.task, params.schedulers
    placed = needs_of(policy, "filter", "preempt", "victim")
    each = bool((placed | needs_of(policy, "order")) & nodes.TASK)
    job = task["job"].astype(np.int64)
    number = np.arange(len(task), dtype=np.int64) if each else np.zeros(len(task), np.int64)
    rows = np.column_stack([job, task["demand"].astype(np.int64), priority, number])
    found, of_task = np.unique(rows, axis=0, return_inverse=True)
    task["kind"] = of_task.ravel()
    entry = records(max(len(found), 1), ENTRY)
    entry["head"] = entry["tail"] = NOBODY
    if not len(found):
        return Waiting(entry, records(1, KIND), 0)
    of_job = found[:, 0]
    nothing = np.zeros(len(found), np.int64)
    queue = world.job["queue"][of_job].astype(np.int64)
    parts = [
        of_job % schedulers,
        found[:, 1],
        found[:, 2] if placed & nodes.PRIORITY else nothing,
        queue if placed & nodes.QUEUE else nothing,
        of_job if placed & nodes.JOB else nothing,
        found[:, 3] if placed & nodes.TASK else nothing,
    ]
    kinds, of_entry = np.unique(np.column_stack(parts), axis=0, return_inverse=True)
    kind = records(len(kinds), KIND)
    kind["scheduler"], kind["demand"] = kinds[:, 0], kinds[:, 1]
    count = np.bincount(of_entry.ravel(), minlength=len(kinds))
    kind["first"] = np.cumsum(count) - count
    kind["refused_ns"] = -1
    entry["kind"], entry["demand"] = of_entry.ravel(), found[:, 1]
    entry["part"] = dominant(world)[found[:, 1]] * _longest_ns(world, found, of_task.ravel())
    trees = _trees(start, policy, kind)
    return Waiting(entry, kind, trees)


def _longest_ns(world: World, found: Ints, of_task: Ints) -> Ints:
    """Return for each entry the longest run time of its job's tasks with the same demand."""
    pairs, pair = np.unique(found[:, :2], axis=0, return_inverse=True)
    longest = np.zeros(len(pairs), np.int64)
    np.maximum.at(longest, pair.ravel()[of_task], world.task["own_ns"])
    return longest[pair.ravel()]


def work_of(world: World, entry: Records) -> Floats:
    """Return the work of each job: dominant share times run time, task by task in the order of kinds of demand."""
    can = world.task["state"] != 5
    tasks = np.bincount(world.task["kind"][can], minlength=len(entry))
    job = np.zeros(len(entry), np.int64)
    job[world.task["kind"]] = world.task["job"]
    found: Floats = np.bincount(job, entry["part"] * tasks, len(world.job)).astype(np.float64)
    return found


def _trees(start: Start[OwnParams], policy: Policy, kind: Records) -> int:
    """Give each kind the number of its tree of kept scores, where scores can be kept; return the number of trees."""
    params, machines = start.params, len(start.world.machine)
    kind["kept"] = NOBODY
    if needs_of(policy, "filter", "score") & ~KEPT_NEEDS or params.news == "sample":
        return 0
    view = kind["scheduler"] if params.news == "stale" else np.zeros(len(kind), np.int64)
    pairs, tree = np.unique(np.column_stack([view, kind["demand"]]), axis=0, return_inverse=True)
    if len(pairs) * machines > MOST_KEPT:
        return 0
    kind["kept"] = tree.ravel()
    return len(pairs)


def leaves_of(machines: int) -> int:
    """Return the number of leaves of a tree over machines: a power of two, at least 2."""
    return max(2, 1 << (machines - 1).bit_length())
