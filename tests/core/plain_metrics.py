"""The figures of a summary by their definitions, in plain NumPy and Python: slow, and read at once.

`measured` gives the parts of a summary that the library measures by compiled walks. Both must agree bit for bit.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core import Simulation
from scheduler_core.engine.incidents import SET_SHARE, SHARE_UNIT
from scheduler_core.engine.records import TASK_RUNNING, TASK_UNSCHEDULABLE
from scheduler_core.experiment import effective_queues
from scheduler_core.metrics.fairness import jain_index

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]

PARTS = ("framework_queuing", "processing", "communication", "worker_queuing")
PERCENTILES = (50.0, 90.0, 99.0, 99.9, 99.99)
CURVE = (1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99, 100)
UNIT = float(1 << 40)
WINDOW_NS = 60_000_000_000
SLICES = 8192


class Plain:
    """What the definitions look at: the table of tasks of a run that has ended, and its datacenter."""

    def __init__(self, simulation: Simulation) -> None:
        assert simulation.result is not None
        world, experiment = simulation.world, simulation.experiment
        queues = effective_queues(experiment)
        self.tasks, self.jobs = np.asarray(simulation.result.tasks), np.asarray(simulation.result.jobs)
        self.now_ns = int(world.control[0].now_ns)
        self.capacity, self.demand = world.capacity, world.demand[world.task["demand"]]
        self.names = tuple(queue.name for queue in queues)
        self.shares = np.array([queue.share for queue in queues])
        self.running, self.never = (world.task["state"] == state for state in (TASK_RUNNING, TASK_UNSCHEDULABLE))
        self.counted = (self.tasks["arrival_ns"] >= round(experiment.warmup_s * 1e9)) & (
            self.tasks["first_start_ns"] >= 0
        )
        set_shares = world.incident[world.incident["what"] == SET_SHARE]
        self.changes = [(int(row["time_ns"]), int(row["first"]), row["x"] / SHARE_UNIT) for row in set_shares]

    def dominant(self, chosen: Any) -> Floats:
        """Return the largest demand of some tasks as a fraction of the datacenter."""
        whole = np.maximum(self.capacity.sum(axis=0), 1)
        return (self.demand[chosen] / whole).max(axis=1) if len(self.demand[chosen]) else np.zeros(0)


def measured(simulation: Simulation) -> dict[str, Any]:
    """Return the parts of the summary that the library measures by compiled walks."""
    run = Plain(simulation)
    tasks = run.tasks
    waits = (tasks["first_start_ns"] - tasks["arrival_ns"])[run.counted]
    return {
        "allocation_delay_s": distribution_s(waits),
        "delay_components_s": {part: distribution_s(tasks[f"{part}_ns"][run.counted]) for part in PARTS},
        "waits": [group(run, run.counted)] if run.counted.any() else [],
        "fairness": queue_fairness(tasks, run.dominant(slice(None)), run.shares) | entitled_fairness(run),
        "used": used(run),
    }


def outcome_digest(tasks: Any) -> str:
    """Return the sha256 over first start, end, machine and attempts of all tasks, each as little-endian int64."""
    columns = (tasks[name] for name in ("first_start_ns", "end_ns", "machine", "attempts"))
    return hashlib.sha256(b"".join(np.ascontiguousarray(column, "<i8").tobytes() for column in columns)).hexdigest()


def distribution_s(values_ns: Ints) -> dict[str, float | None]:
    """Return mean, percentiles by nearest rank, and maximum."""
    names = [f"p{percent:g}" for percent in PERCENTILES]
    if not len(values_ns):
        return dict.fromkeys(["mean", *names, "max"])
    ordered = sorted(values_ns.tolist())
    ranks = [max(int(np.ceil(round(percent * len(ordered) / 100, 9))), 1) - 1 for percent in PERCENTILES]
    found: dict[str, float | None] = {"mean": sum(ordered) / len(ordered) / 1e9}
    found |= {name: float(ordered[rank]) / 1e9 for name, rank in zip(names, ranks, strict=True)}
    return found | {"max": float(ordered[-1]) / 1e9}


def used(run: Plain) -> list[float]:
    """Return what the tasks that have ended used of each resource, in thousandths and seconds."""
    ended = run.tasks["end_ns"] >= 0
    ran_s = (run.tasks["end_ns"] - run.tasks["last_start_ns"])[ended] / 1e9
    found: list[float] = (run.demand[ended] * ran_s[:, np.newaxis]).sum(axis=0).tolist()
    return found


def group(run: Plain, mine: Mask) -> dict[str, Any]:
    """Return the waits of a group of tasks."""
    waited = (run.tasks["first_start_ns"] - run.tasks["arrival_ns"])[mine]
    places = np.maximum(np.ceil(np.array(CURVE) / 100 * len(waited)).astype(np.int64), 1) - 1
    ordered, total, free_ns = np.sort(waited), int(waited.sum()), free_while_waiting(run)
    return {
        "tasks": len(waited),
        "parts_s": {part: int(run.tasks[f"{part}_ns"][mine].sum()) / 1e9 for part in PARTS},
        "free": None if free_ns is None or total == 0 else round(float(free_ns[mine].sum()) / total, 6),
        "curve_s": [[percent / 100, int(ordered[place]) / 1e9] for percent, place in zip(CURVE, places, strict=True)],
    }


def free_while_waiting(run: Plain) -> Floats | None:
    """Return each task's wait, weighted by the part of the scarcest resource without use meanwhile."""
    tasks, whole = run.tasks, run.capacity.sum(axis=0).astype(np.float64)
    ran = np.flatnonzero((tasks["end_ns"] >= 0) | run.running)
    scarce = int(np.argmax(run.demand[ran].sum(axis=0) / np.maximum(whole, 1)))
    if not len(ran) or whole[scarce] <= 0:
        return None
    end = np.where(run.running[ran], run.now_ns, tasks["end_ns"][ran])
    start = np.minimum(tasks["last_start_ns"][ran], end)
    width = max(int(end.max(initial=0)), run.now_ns) // SLICES + 1

    def level(place: Ints) -> Floats:
        return np.cumsum(np.bincount(place, run.demand[ran, scarce].astype(np.float64), SLICES + 1))

    held = level(start // width) - level(end // width)
    busy = np.clip((held + np.concatenate([[0.0], held[:-1]])) / 2 / whole[scarce], 0, 1)
    gone = np.concatenate([[0.0], np.cumsum((1 - busy) * width)])

    def up_to(t_ns: Ints) -> Floats:
        place = t_ns // width
        return np.asarray(gone[place] + (1 - busy[place]) * (t_ns - place * width))

    arrival = np.minimum(tasks["arrival_ns"], run.now_ns)
    until = np.where(tasks["first_start_ns"] < 0, arrival, np.minimum(tasks["first_start_ns"], run.now_ns))
    return up_to(until) - up_to(arrival)


def queue_fairness(tasks: Any, dominant: Floats, shares: Floats) -> dict[str, Any]:
    """Return Jain's index over the queues with work in a window of a minute, of dominant use divided by share."""
    none = {"jain_mean": 1.0, "jain_min": 1.0, "jain_max": 1.0, "window_s": WINDOW_NS / 1e9}
    ended = tasks["end_ns"] >= 0
    if not ended.any():
        return none
    rows, weights = tasks[ended], dominant[ended]
    window_ns = WINDOW_NS
    while int(rows["end_ns"].max()) // window_ns >= 100_000:
        window_ns *= 2
    shape = (len(shares), int(rows["end_ns"].max()) // window_ns + 1)
    use, there = np.zeros(shape), np.zeros(shape)
    for row, weight in zip(rows, weights, strict=True):
        for since, each, into in ((row["last_start_ns"], weight, use), (row["arrival_ns"], 1.0, there)):
            for window in range(since // window_ns, min(max(row["end_ns"] - 1, since) // window_ns + 1, shape[1])):
                over = min(row["end_ns"], (window + 1) * window_ns) - max(since, window * window_ns)
                into[row["queue"], window] += each * over
    relative = use / shares[:, np.newaxis]
    index = [jain_index(relative[there[:, w] > 0, w]) for w in range(shape[1]) if there[:, w].any()]
    if not index:
        return none
    return {
        "jain_mean": sum(index) / len(index),
        "jain_min": min(index),
        "jain_max": max(index),
        "window_s": window_ns / 1e9,
    }


def two_normals(x: Floats, mean: Floats, sigma: Floats) -> tuple[Floats, Floats, Floats]:
    """Return shares, means and deviations after 200 rounds of expectation and maximization, from equal shares on."""
    share = np.full(2, 0.5)
    for _ in range(200):
        density = share * np.exp(-0.5 * ((x[:, None] - mean) / sigma) ** 2) / sigma + 1e-300
        belongs = density / density.sum(axis=1, keepdims=True)
        weight = belongs.sum(axis=0)
        share, mean = weight / len(x), (belongs * x[:, None]).sum(axis=0) / weight
        sigma = np.sqrt((belongs * (x[:, None] - mean) ** 2).sum(axis=0) / weight).clip(0.1)
    return share, mean, sigma


def happenings(run: Plain) -> list[tuple[int, int, int, int, int]]:
    """Return (time, row of the state, queue, task, +1 or -1) of arrivals, starts and ends, in order of time."""
    found = []
    for task, row in enumerate(run.tasks):
        if row["arrival_ns"] > run.now_ns or run.never[task]:
            continue
        end = run.now_ns if run.running[task] else row["end_ns"]
        ran = row["last_start_ns"] >= 0 and (run.running[task] or row["end_ns"] >= 0)
        begins = [(row["arrival_ns"], 0)] + ([(row["last_start_ns"], 1)] if ran else [])
        found += [(int(t_ns), state, int(row["queue"]), task, 1) for t_ns, state in begins]
        found += [(int(end), state, int(row["queue"]), task, -1) for _, state in begins] if end >= 0 else []
    return sorted(found, key=lambda each: each[0])


def entitled_fairness(run: Plain) -> dict[str, Any]:
    """Return use divided by entitlement by queue: integrals from change to change, of the whole numbers asked for."""
    share, whole = run.shares.copy(), float(run.shares.sum())
    unit = np.rint(run.dominant(slice(None)) * UNIT).astype(np.int64)
    state, since = np.zeros((2, len(share)), np.int64), np.zeros(len(share), np.int64)
    integrals = np.zeros((3, len(share)))
    changes = list(run.changes)

    def settle(queues: Sequence[int], now_ns: int) -> None:
        for q in queues:
            passed, asked, use = now_ns - since[q], state[0, q] / UNIT, state[1, q] / UNIT
            since[q] = now_ns
            entitled = min(share[q] / whole, asked)
            integrals[:, q] += (use * passed, entitled * passed, min(use, entitled) * passed)

    everyone = range(len(share))
    for t_ns, row, q, task, sign in [*(each for each in happenings(run) if each[0] < run.now_ns), (-1,) * 5]:
        while changes and changes[0][0] <= (run.now_ns if row < 0 else t_ns):
            at_ns, changed, becomes = changes.pop(0)
            settle(everyone, at_ns)
            whole += becomes - share[changed]
            share[changed] = becomes
        if row >= 0:
            settle([q], t_ns)
            state[row, q] += sign * unit[task]
    settle(everyone, run.now_ns)
    asking = np.flatnonzero(integrals[1] > 0)
    ratio, served = integrals[0, asking] / integrals[1, asking], integrals[2, asking] / integrals[1, asking]
    worst = int(np.argmin(served)) if len(asking) else None
    return {
        "entitled_jain": jain_index(ratio) if len(asking) else None,
        "entitled_worst": None if worst is None else float(served[worst]),
        "entitled_worst_queue": None if worst is None else run.names[int(asking[worst])],
        "by_queue": [
            {"queue": run.names[int(q)], "use_to_entitlement": float(ratio[place]), "served": float(served[place])}
            for place, q in enumerate(asking)
        ],
    }
