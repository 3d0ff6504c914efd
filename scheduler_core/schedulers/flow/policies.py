"""The cost terms of each policy (`costs`): the parameters that weigh them, and the rules derived from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scheduler_core.engine.records import NOBODY, World, records
from scheduler_core.errors import ExperimentError, Problem
from scheduler_core.experiment import Experiment
from scheduler_core.experiment.derived import resource_names
from scheduler_core.schedulers.flow.costs import OLDEST_S, UNIT
from scheduler_core.schedulers.flow.state import RULES, WEIGHTS
from scheduler_core.schedulers.shared.pacing.data import has_data
from scheduler_core.world.planned import settings_by_name
from scheduler_core.world.start import Start

WEIGHTS_OF = {
    "quincy": ("rack_cost", "core_cost", "wait_cost"),
    "random": ("random_cost",),
    "sjf": ("short_cost",),
    "load": ("load_cost", "wait_cost"),
    "coco": ("interference_cost", "wait_cost"),
    "net": ("bandwidth_cost", "wait_cost"),
}
"""Firmament's policies. Schedulers without a parameter `policy` have every term that they have a parameter for."""

_OF_DATA = {"rack_cost", "core_cost"}
OF_RESOURCES = {"resource_cost", "cpu_cost", "memory_cost", "other_cost"}
"""Weights of resources in use: their mean, and each one's own."""


@dataclass(frozen=True)
class Sizes:
    """What else decides how large costs may become."""

    kinds: int
    """Kinds of tasks."""
    soft: int
    """Constraints that tasks may do without."""
    priorities: int
    """Different priorities."""
    largest_worth: float
    """The most that utilities say any machine is worth to any task."""
    others: int
    """Resources beside CPUs and memory."""


_LEAST_BASE = 1_000_000.0
_MOST_SUM = 2.0**62


def fill(rules: Any, params: dict[str, Any]) -> None:
    """Write what parameters say into a row of rules."""
    rules["interval_ns"] = round(params["interval_s"] * 1e9)
    rules["cold"], rules["scaling"] = params["solver"] == "cold", params["solver"] == "scaling"
    leave_cost = params.get("leave_cost")
    rules["waits"], rules["leave_cost"] = leave_cost is not None, leave_cost or 0.0
    rules["strict"] = params.get("strict", False)
    rules["preempts"], rules["fair"] = params.get("preemption", False), params.get("fair", False)
    own = set(WEIGHTS_OF.get(params.get("policy", ""), WEIGHTS))
    if not has_data(params):
        own -= _OF_DATA
    for name in WEIGHTS:
        rules[name] = params.get(name, 0.0) if name in own or name == "soft_utility" else 0.0
    modelled = params["solver_time"] == "modelled"
    rules["per_scan_ns"] = 10.0 if modelled else 0.0
    rules["per_arc_ns"] = 50.0 if modelled else 0.0


def rules_of(experiment: Experiment, params: dict[str, Any], event_room: int) -> Any:
    """Return the rules with which a run begins: (1,) RULES."""
    rules = records(1, RULES)
    rules["delay_ns"] = round(experiment.network.message_delay_s * 1e9)
    rules["room"] = event_room
    rules["last_ns"] = rules["requeue"] = NOBODY
    fill(rules, params)
    return rules


def settings_of(start: Start[Any], params: dict[str, Any]) -> Any:
    """Return the rules that events set, in their order: (changes,) RULES, one row of no effect where there are none."""
    return settings_by_name(start, RULES, lambda row, then: fill(row, params | then))


def bandwidth_of(experiment: Experiment, params: dict[str, Any]) -> int:
    """Return number of the resource that is bandwidth. Raises ExperimentError where there is none by that name."""
    names = resource_names(experiment.topology, experiment.workload)
    if params["bandwidth"] in names:
        return names.index(params["bandwidth"])
    raise ExperimentError(
        [
            Problem(
                "scheduler.params.bandwidth",
                f"is {params['bandwidth']!r}, a resource that no machine has and that the policy 'net' needs",
                "one of " + ", ".join(repr(name) for name in names),
                "give machines and tasks such a resource under `resources`, or choose another policy",
            )
        ]
    )


def set_base(rules: Any, setting: Any, world: World, largest_gb: float, slots: int, sizes: Sizes) -> None:
    """Let it cost more not to run than anything else together, and let each priority cost more than all below it.

    Raises ExperimentError when sums leave 64 bits.
    """
    job, task = world.job, world.task
    rules["last_arrival_ns"] = int(job["arrival_ns"].max(initial=0))
    span_s = (int(rules["last_arrival_ns"][0]) - int(job["arrival_ns"].min(initial=0))) / 1e9
    longest_s = float(task["own_ns"].max(initial=0)) / 1e9
    factor = {
        "rack_cost": largest_gb,
        "core_cost": largest_gb,
        "load_cost": slots,
        "short_cost": longest_s,
        "random_cost": 2.0,
        "interference_cost": 9.0,
        "bandwidth_cost": 2.0,
        "resource_cost": 2.0,
        "cpu_cost": 2.0,
        "memory_cost": 2.0,
        "other_cost": 2.0 * sizes.others,
        "soft_utility": 64.0,
    }
    most = {name: max(float(one[name].max()) for one in (rules, setting)) for name in WEIGHTS}
    places = sum(most[name] * each for name, each in factor.items()) + sizes.largest_worth
    base = max(_LEAST_BASE, 2.0 * places)
    rules["base_cost"] = base
    rules["most_cost"] = places - most["soft_utility"] * (64.0 - sizes.soft)
    waits = {"wait_cost": span_s, "stay_cost": 1.0, "run_cost": min(longest_s, OLDEST_S)}
    parts = {name: most[name] * each for name, each in (factor | waits).items()}
    # A task that goes before others moves at most one running task of each kind, and one over the cluster.
    step = 2.0 * (sizes.kinds + 2) * (sum(parts.values()) + sizes.largest_worth)
    rules["step_cost"] = step
    strict = bool(rules["strict"][0])
    parts["priority_cost"] = step * sizes.priorities if strict else most["priority_cost"]
    leaving = max(float(one["leave_cost"].max()) for one in (rules, setting))
    largest = UNIT * (base + leaving + sizes.largest_worth + sum(parts.values()))
    # A price is the cost of a way, and none is longer than there are nodes; the sum goes over all tasks.
    if largest * (len(task) + len(job) + 2.0 * len(world.machine)) > _MOST_SUM:
        worst = max(parts, key=lambda name: parts[name])
        raise ExperimentError(
            [
                Problem(
                    f"scheduler.params.{'strict' if worst == 'priority_cost' and strict else worst}",
                    f"is so large that the costs of {len(task):,} tasks may come to more than 64 bits hold",
                    f"about a {largest * (len(task) + len(job)) / _MOST_SUM * 2:,.0f}th of it"
                    if most[worst]
                    else "less",
                    "lower it: only how costs compare to each other matters",
                )
            ]
        )
