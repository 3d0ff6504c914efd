"""The driver interface of schedulers that separate long from short jobs: packing, layers, series."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.incidents import look_for
from scheduler_core.engine.records import LISTS, NOBODY, QUEUES, Records, World, records
from scheduler_core.experiment import Experiment
from scheduler_core.schedulers.shared.probing import HybridParams
from scheduler_core.schedulers.shared.probing.estimates import estimates_ns
from scheduler_core.schedulers.shared.probing.packing import eligible_machines, probing_groups
from scheduler_core.schedulers.shared.probing.state import LINK, TO_WORKER
from scheduler_core.world.spec import Params


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
    group, first_group, order = probing_groups(world, False, np.full(len(world.task), -1, np.int64))
    eligible, listed = eligible_machines(world, forgetting=forget > 0)
    _classify(experiment, world, params, group, first_group)
    group["able"][group["long"] == 1] += forget
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


def _classify(
    experiment: Experiment, world: World, params: Any, group: Records, first_group: npt.NDArray[np.int32]
) -> None:
    """Set each group's estimated task duration and, if the scheduler uses classes, whether its tasks are long."""
    estimate = estimates_ns(params, experiment.seed, world.job["mean_ns"])
    its_job = np.repeat(np.arange(len(world.job)), np.diff(first_group))
    group["estimate_ns"] = estimate[its_job]
    if "short_cutoff_s" in type(params).model_fields:
        group["long"] = group["estimate_ns"] > round(params.short_cutoff_s * 1e9)


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
