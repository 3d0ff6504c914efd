"""Turn a DAG scheduler's parameters into its rules, and apply parameter changes during a run."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.cluster import Cluster
from scheduler_core.engine import rng
from scheduler_core.engine.events import EVENT_HEADROOM
from scheduler_core.engine.records import NOBODY, records
from scheduler_core.errors import ExperimentError, Problem, listed
from scheduler_core.schedulers.dag.state import BY_ONE, BY_QUEUE, BY_TASKS, IDLE, LEFTOVER, PACK, PLAN, RULES, SHARE
from scheduler_core.schedulers.shared.pacing.data import has_data
from scheduler_core.world.planned import settings_by_name
from scheduler_core.world.start import Start

TASKS = "tasks"
"""In place of a resource: tasks are counted, whatever they take."""


@dataclass(frozen=True)
class Policy:
    """What one scheduler of the family is: an order of jobs, the phases of a decision, the reason of its starts."""

    order: int = 0
    reason: int = 0
    first_phase: int = SHARE
    leftover_phase: int = IDLE
    by_path: bool = False
    troublesome: bool = False


def altruism_draws(seed: int, jobs: int, drawn: bool) -> npt.NDArray[np.float64]:
    """Return one draw for each job, so that more altruism only adds jobs; 1 without draws."""
    draws = [rng.uniform(seed, rng.STREAM_ALTRUISM, job, 0) for job in range(jobs if drawn else 0)]
    return np.array(draws) if drawn else np.ones(jobs)


def pack_rules(start: Start[Any], policy: Policy) -> Any:
    """Return the rules at the beginning, RULES (1,)."""
    rules = records(1, RULES)
    rules["delay_ns"] = round(start.experiment.network.message_delay_s * 1e9)
    rules["room"] = EVENT_HEADROOM
    rules["first_phase"], rules["reason"] = policy.first_phase, policy.reason
    rules["last_ns"] = rules["striking"] = NOBODY
    rules["has_data"] = policy.first_phase == PLAN and has_data(start.given)
    rules["in_place"] = policy.troublesome or start.given.get("packer") == "dagps"
    _fill(rules, start.given, policy, start.cluster)
    return rules


def pack_settings(start: Start[Any], policy: Policy) -> Any:
    """Return the rules after each event that sets parameters: the experiment's, with all that was set until then."""
    return settings_by_name(start, RULES, partial(_fill, policy=policy, cluster=start.cluster))


def _fill(rules: Any, params: dict[str, Any], policy: Policy, cluster: Cluster) -> None:
    rules["interval_ns"] = round(params["interval_s"] * 1e9)
    rules["leftover_phase"] = policy.leftover_phase
    if "leftover" in params:
        rules["leftover_phase"] = PACK if params["leftover"] == "packing" else LEFTOVER
    resource = params.get("resource", cluster.names[0])
    by_tasks = policy.order == BY_ONE and resource == TASKS
    order = BY_QUEUE if params.get("inter_job") == "capacity" else policy.order
    rules["order"] = BY_TASKS if by_tasks else order
    rules["resource"] = 0 if by_tasks else _resource(resource, cluster, policy.order == BY_ONE)
    rules["by_queue"] = params.get("weights") == "queue_share"
    rules["strict"] = not params.get("work_conserving", True)
    rules["altruism"] = params.get("altruism", 0.0)
    rules["limits"] = params.get("altruism", 0.0) > 0
    rules["by_level"] = params.get("inter_job") == "drf"
    rules["by_vector"] = params.get("inter_job") == "drf" and params["planned_share"] == "drf_vector"
    rules["sets_aside"] = params.get("selfish") == "drf"
    rules["draws"] = params.get("drawn") == "decision"
    rules["packs"] = params.get("placement") == "packing"
    rules["epsilon"] = params.get("epsilon", 0.0)
    rules["fairness"] = params.get("fairness", 0.0)
    rules["barrier"] = params.get("barrier", 1.0)
    rules["wait_ns"] = round(params.get("wait_s", 0.0) * 1e9)
    rules["rack_wait_ns"] = round(params.get("rack_wait_s", 0.0) * 1e9)
    rules["rack_factor"] = params.get("rack_factor", 1.0)
    rules["remote_factor"] = params.get("remote_factor", 1.0)


def _resource(name: str, cluster: Cluster, counts: bool) -> int:
    """Return the number of the shared resource, which some machine has to have."""
    having = [known for known, total in zip(cluster.names, cluster.capacity.sum(axis=0), strict=True) if total > 0]
    if not counts:
        return 0
    if name not in having:
        raise ExperimentError(
            [Problem("scheduler.params.resource", f"is '{name}', of which the machines have none", listed(having))]
        )
    return cluster.names.index(name)
