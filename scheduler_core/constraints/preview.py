"""Preview an experiment's constraints without a run: supply and demand, eligible machines, samples."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.cluster import Cluster, build_cluster
from scheduler_core.constraints.asks import draw_asks, soft_mask
from scheduler_core.constraints.catalogue import AXES, PHOENIX_AXES
from scheduler_core.constraints.offers import Floats, Masks, checked_names, machine_offers
from scheduler_core.constraints.vectors import bits_of, eligible, packed_bits
from scheduler_core.experiment import Experiment
from scheduler_core.experiment.catalogues import constraint_names
from scheduler_core.experiment.constraints import Constraints
from scheduler_core.experiment.workloads import InlineWorkload
from scheduler_core.limits import DEFAULT_LIMITS, Limits

SAMPLE = 2_000
Booleans = npt.NDArray[np.bool_]


def constraint_preview(
    experiment: Experiment, *, tasks: int = SAMPLE, limits: Limits = DEFAULT_LIMITS
) -> dict[str, Any]:
    """Return supply and demand of each constraint and kind, eligible machines by constraint count, and samples.

    The preview covers all machines of the run and a sample of `tasks` tasks. `crv` is demand over supply of a
    constraint: the share of tasks that request it over the share of machines that offer it; None if no machine does.
    `unholdable_share` of the tasks can run nowhere; `relaxed_share` can run only without a soft constraint. `asks_from`
    is the source of the sampled requests: the inline jobs, or draws for other workloads. For a trace the draws stand
    for tasks whose trace records no constraints. Raises ExperimentError.
    """
    cluster = build_cluster(experiment, limits=limits)
    if experiment.constraints is None:
        return {
            "constraints": [],
            "axes": [],
            "eligible": [],
            "clusters": [],
            "machines": cluster.machines,
            "sampled_tasks": 0,
            "constrained_share": 0.0,
            "unholdable_share": 0.0,
            "relaxed_share": 0.0,
            "asks_from": "nothing",
            "machine": None,
            "task": None,
        }
    names = checked_names(experiment)
    offers = machine_offers(experiment, cluster) & ((1 << len(names)) - 1)
    asks = _sampled(experiment, tasks)
    masks, of_task = np.unique(asks, return_inverse=True)
    words = packed_bits(offers, len(names))
    holders = eligible(words, masks, cluster.machines)
    able = eligible(words, masks & ~soft_mask(experiment.constraints)[0], cluster.machines)[of_task] > 0
    offered = bits_of(offers, len(names))
    rows = _rows(experiment.constraints, names, offered.mean(axis=0), bits_of(asks, len(names)).mean(axis=0))
    return {
        "machines": cluster.machines,
        "sampled_tasks": len(asks),
        "constrained_share": float((asks != 0).mean()),
        "unholdable_share": float((~able).mean()),
        "relaxed_share": float((able & (holders[of_task] == 0)).mean()),
        "asks_from": "inline" if isinstance(experiment.workload, InlineWorkload) else "drawn",
        "constraints": rows,
        "axes": _axes(rows),
        "eligible": _by_count(asks, holders[of_task] / cluster.machines),
        "clusters": _by_cluster(cluster, offered),
        "machine": _machine(experiment, cluster, offers, names),
        "task": _task(asks, holders[of_task], names),
    }


def _sampled(experiment: Experiment, tasks: int) -> Masks:
    workload = experiment.workload
    if isinstance(workload, InlineWorkload):
        bit = {name: 1 << number for number, name in enumerate(checked_names(experiment))}
        masks = [
            sum(bit[name] for name in set(job.constraints))
            for job in workload.jobs
            for _ in job.durations_s or job.stages or ()
        ]
        return np.array(masks[:tasks], np.int64)
    asks = np.zeros(tasks, np.int64)
    # Each job has one task, so draws by job are as frequent as draws by task.
    draw_asks(experiment, np.arange(tasks, dtype=np.int64), asks)
    return asks


def axes_of(constraints: Constraints) -> tuple[str | None, ...]:
    """Return the resource kind that each constraint is about; None where the preview has no answer."""
    if constraints.catalogue == "phoenix-9":
        return PHOENIX_AXES
    if constraints.catalogue == "custom":
        return tuple(kind.axis for kind in constraints.custom)
    return (None,) * len(constraint_names(constraints))


def _rows(constraints: Constraints, names: tuple[str, ...], offered: Floats, asked: Floats) -> list[dict[str, Any]]:
    """Describe each constraint; `offered` and `asked` are shares of machines and tasks."""
    axes = axes_of(constraints)
    soft, slowdowns = soft_mask(constraints)
    rows = []
    for c, name in enumerate(names):
        supply, demand = float(offered[c]), float(asked[c])
        rows.append(
            {
                "name": name,
                "axis": axes[c],
                "supply": supply,
                "demand": demand,
                "crv": _ratio(demand, supply),
                "soft": bool(soft >> c & 1),
                "slowdown": float(slowdowns[c]) if soft >> c & 1 else None,
            }
        )
    return rows


def _ratio(demand: float, supply: float) -> float | None:
    if supply > 0:
        return demand / supply
    return None if demand > 0 else 0.0


def _axes(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return demand and supply of each of the six kinds: sums over its constraints, and their ratio."""
    found = []
    for axis in AXES:
        own = [row for row in rows if row["axis"] == axis]
        supply, demand = sum(row["supply"] for row in own), sum(row["demand"] for row in own)
        found.append(
            {
                "axis": axis,
                "constraints": len(own),
                "supply": supply,
                "demand": demand,
                "crv": _ratio(demand, supply) if own else None,
            }
        )
    return found


def _by_count(asks: Masks, share: npt.NDArray[np.float64]) -> list[dict[str, Any]]:
    counts = np.bitwise_count(asks.astype(np.uint64))
    return [
        {
            "constraints": int(count),
            "tasks": float((counts == count).mean()),
            "machines": {"mean": float(share[counts == count].mean()), "least": float(share[counts == count].min())},
        }
        for count in np.unique(counts)
    ]


def _by_cluster(cluster: Cluster, offered: Booleans, most: int = 200) -> list[dict[str, Any]]:
    """Return the share of machines with each constraint in the first `most` clusters, for a heat map."""
    first = cluster.cluster_first[: most + 1]
    sizes = np.diff(first)
    counts = np.add.reduceat(offered[: first[-1]], first[:-1], axis=0, dtype=np.int64)
    names = cluster.cluster_names[: len(sizes)]
    return [{"name": name, "supply": row} for name, row in zip(names, (counts / sizes[:, None]).tolist(), strict=True)]


def _names_in(mask: int, names: tuple[str, ...]) -> list[str]:
    return [name for c, name in enumerate(names) if mask >> c & 1]


def _machine(experiment: Experiment, cluster: Cluster, offers: Masks, names: tuple[str, ...]) -> dict[str, Any]:
    number = experiment.seed % cluster.machines
    return {
        "machine": number,
        "cluster": cluster.cluster_names[int(cluster.cluster_of[number])],
        "offers": _names_in(int(offers[number]), names),
    }


def _task(asks: Masks, holders: npt.NDArray[np.int64], names: tuple[str, ...]) -> dict[str, Any] | None:
    """Return the first sampled task with a constraint, or the first."""
    if not len(asks):
        return None
    number = int(np.argmax(asks != 0))
    return {"task": number, "asks": _names_in(int(asks[number]), names), "machines": int(holders[number])}
