"""The driver interface of schedulers that separate long from short jobs: packing, layers, series."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.constraints import soft_mask
from scheduler_core.engine.incidents import look_for
from scheduler_core.engine.records import LISTS, NOBODY, QUEUES, Records, World, records
from scheduler_core.experiment import Experiment
from scheduler_core.schedulers.shared.probing import HybridParams
from scheduler_core.schedulers.shared.probing.estimates import estimates_ns
from scheduler_core.schedulers.shared.probing.packing import Numbers, eligible_machines, probing_groups
from scheduler_core.schedulers.shared.probing.racks import bind_to_racks, draw_within_racks
from scheduler_core.schedulers.shared.probing.state import LINK, TO_WORKER
from scheduler_core.world.pack import without_soft
from scheduler_core.world.spec import Params
from scheduler_core.world.turning import Scaled, Turn

_MOST_PROBES = 100
_USUAL_PROBES = 8


def first_for_long(machines: int, long_partition_share: float) -> int:
    """Return number of workers for short jobs only, cut off: the first worker that long tasks may go to."""
    return int(machines * (1 - long_partition_share) + 1e-9)


def hybrid_rules(
    dtype: np.dtype[Any],
    experiment: Experiment,
    params: HybridParams,
    min_probes: int,
    machines: int,
    forget: int = 0,
) -> Records:
    """Return one row of a scheduler's rules with what all of them have; `forget` as of `forgotten`."""
    rules = records(1, dtype)
    public = params.profile == "public-simulator"
    rules["delay_ns"] = round(experiment.network.message_delay_s * 1e9)
    rules["probes_per_1000_tasks"] = round(params.probe_ratio * 1000)
    rules["least_probes"] = min_probes
    rules["public"] = rules["repeats"] = public
    rules["probe_kind"] = TO_WORKER
    rules["first_long"] = first_for_long(machines, params.long_partition_share)
    rules["fork"], rules["forget"] = forget > 0, forget
    return rules


def forgotten(params: Any, world: World, constrained: bool) -> int:
    """Return the number of demand classes whose rows without constraints follow in `eligible`; 0 for none.

    `constrained`: whether the public simulator is that of Phoenix's authors, which forgets constraints.
    """
    return len(world.demand) - 1 if constrained and params.profile == "public-simulator" else 0


def hybrid_arrays(
    experiment: Experiment,
    world: World,
    params: Params,
    worker_type: np.dtype[Any],
    probe: np.dtype[Any],
    forget: int = 0,
) -> dict[str, Any]:
    """Return the arrays of Probing and Central without the rules; write each task's group."""
    machines = len(world.machine)
    look_for(world, LISTS | QUEUES)
    estimate, long = _classify(experiment, world, params)
    soft = soft_mask(experiment.constraints)[0] if experiment.constraints else 0
    first_long = first_for_long(machines, getattr(params, "long_partition_share", 1.0))
    rack = bind_to_racks(experiment, world, long, first_long, soft)
    group, first_group, order = probing_groups(world, False, rack)
    eligible, listed = eligible_machines(world, forgetting=forget > 0)
    its_job = np.repeat(np.arange(len(world.job)), np.diff(first_group))
    group["estimate_ns"], group["long"] = estimate[its_job], long[its_job]
    group["able"][group["long"] == 1] += forget
    eligible = draw_within_racks(world, group, order, rack, eligible, relaxed_classes(world, soft) if soft else None)
    world.task["kind"][order] = np.repeat(np.arange(len(group)), group["end"] - group["next"])
    worker = records(machines, worker_type)
    worker["first"] = worker["last"] = NOBODY
    return {
        "worker": worker,
        "probe": records(0, probe),
        "link": records(1, LINK),
        "group": group,
        "first_group": first_group,
        "order": order,
        "eligible": eligible,
        "listed": listed,
        "sampled_for": np.zeros(machines, np.int32),
        "wait_ns": np.zeros(machines, np.int64),
        "who": np.zeros(machines, np.int32),
        "chosen": np.zeros(max(1, int(world.job["tasks"].max(initial=0))), np.int32),
    }


def most_at_once(group: Records, first_group: npt.NDArray[np.int32], ratio: float, least: int, again: int = 0) -> int:
    """Return the most probes or long tasks that one job sends; short groups send at most `again` more."""
    tasks = group["end"] - group["next"]
    probes = np.maximum(np.ceil(tasks * ratio).astype(np.int64), least) + again
    so_far = np.concatenate([[0], np.cumsum(np.where(group["long"] == 1, tasks, probes))])
    return int(np.diff(so_far[first_group]).max(initial=0))


def probe_ratio_turn(ratio: float) -> Turn:
    """Return how a page turns the probe ratio: up to twice the run's own value, for which the arrays have room."""
    most = min(_MOST_PROBES, max(_USUAL_PROBES, 2 * math.ceil(ratio)))
    return Turn((Scaled("probes_per_1000_tasks", 1e3),), packed=most, most=most)


def relaxed_classes(world: World, soft: int) -> Numbers:
    """Return the class of each demand without the constraints of the mask `soft`, int32 (classes,)."""
    classes = len(world.demand) - 1
    return without_soft(world.demand[:classes], world.asks[:classes], soft).astype(np.int32)


def _classify(experiment: Experiment, world: World, params: Any) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """Return each job's estimated task duration, int64 ns, and whether its tasks are long, if there are classes."""
    estimate = estimates_ns(params, experiment.seed, world.job["mean_ns"])
    if "short_cutoff_s" not in type(params).model_fields:
        return estimate, np.zeros(len(estimate), np.bool_)
    return estimate, estimate > round(params.short_cutoff_s * 1e9)


def hybrid_amounts(state: Any, layer: str, machines: Any) -> Any:
    """Return what HYBRID_LAYERS show of the machines, beside the load and what is out of service."""
    if layer == "queue":
        return state.worker["length"][machines]
    return state.worker["longs"][machines] if layer == "long" else np.asarray(machines) < state.rules[0].first_long


def hybrid_series(state: Any) -> dict[str, float]:
    """Return the values of HYBRID_SERIES."""
    return {"probes_waiting": float(state.rules[0].waiting), "long_busy": float(state.rules[0].long_busy)}


def inspect_hybrid(state: Any) -> dict[str, Any]:
    """Return what a viewer may ask for beyond the layers."""
    length = state.worker["length"]
    return {
        "probes_waiting": int(length.sum()),
        "longest_queue": int(length.max(initial=0)),
        "workers_with_a_queue": int((length > 0).sum()),
        "workers_with_long_tasks": int(state.rules[0].long_busy),
        "workers_for_short_jobs_only": int(state.rules[0].first_long),
    }
