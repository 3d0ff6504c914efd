"""A parameter that speaks of something does nothing where the experiment has none of it.

Data, constraints, several queues and several racks are looked at. `SPEAKS` says which parameters speak of what. A
parameter whose words name one of them and that is neither in `SPEAKS` nor in `ACTS` fails the test of the words, so a
new parameter cannot be forgotten.
"""

from __future__ import annotations

import copy
import functools
import re
from typing import Any, get_args

import pytest

from scheduler_core import SCHEDULERS, Experiment, scheduler_by_name, simulate
from tests.core.experiments import by_loop

ALONE: dict[str, Any] = {
    "schema_version": 1,
    "topology": {"clusters": [{"name": "a", "racks": 1, "machines": [{"count": 24, "cpus": 4, "memory_gb": 16}]}]},
    "workload": {
        "kind": "synthetic",
        "jobs": 40,
        "tasks_per_job": {"kind": "exponential", "mean": 5},
        "duration_s": {"kind": "exponential", "mean": 5},
        "arrivals": {"kind": "poisson", "offered_load": 0.9},
        "demand": {"cpus": 1, "memory_gb": 2},
    },
}
"""One rack, one queue, no constraints, no data."""

OF_DATA = {
    "locality", "rack_cost", "core_cost", "rack_gb_s", "core_gb_s", "wait_s", "rack_wait_s", "rack_factor",
    "remote_factor", "transfer_s", "j5_job_s", "j5_task_s",
}  # fmt: skip
OF_CONSTRAINTS = {
    "affinity", "soft_utility", "fallback_value", "fewest_properties", "negotiate", "negotiate_ratio",
    "load_threshold_percent", "wait_threshold_s", "r3", "affinity_weight",
}  # fmt: skip
OF_QUEUES = {
    "hierarchy", "production", "production_priority", "priority_cost", "strict", "weights", "j2_jobs",
}  # fmt: skip
SPEAKS = {"data": OF_DATA, "constraints": OF_CONSTRAINTS, "queues": OF_QUEUES, "racks": OF_DATA & {
    "core_gb_s", "rack_cost", "core_cost", "rack_wait_s", "rack_factor", "remote_factor"}}  # fmt: skip
ALSO: dict[str, dict[str, Any]] = {"megha": {"queues": {"fairness", "further_victims"}}}
ALSO["centralised"] = ALSO["megha"]
ALSO["kubernetes-papers"] = ALSO["borg-like"] = {"queues": {"preemption"}}
DATA_STATED = {"unsized_data": False}
"""Fair and delay scheduling state their data by a parameter, which is on by default."""

NAMES = re.compile(r"\b(data|soft constraints?|constraints?|racks?|queue's share|priorit(?:y|ies)|priorities)\b", re.I)
ACTS = {
    "input_gb": "it says that there are data",
    "unsized_data": "it says that there are data",
    "utilities": "each names its queue, constraint, cluster or rack",
    "short_cutoff_s": "it speaks of classes of jobs",
    "vector_ns": "the time to combine vectors is spent whatever is in them",
    "schedulers": "the datacenter is meant",
    "solver_time": "the datacenter is meant",
    "barrier": "the priority of a stage in its job",
    "weight": "the priority of short jobs",
    "t10": "the stage's own criterion",
    "PriorityWeightPartition": "it orders jobs by their queue, and alone they are of one",
    "PriorityWeightQOS": "it orders jobs by their priority",
    "PriorityCalcPeriod": "the order also follows from waits",
    "preemption": "flow schedulers also move tasks for other reasons; `ALSO` has those of priorities",
}
"""Parameters that name one of them and mean something else, or that make it be there."""


def others(scheduler: str, name: str) -> list[Any]:
    """Return values of a parameter that differ from its default, as far from it as is usual."""
    field = scheduler_by_name(scheduler).params.model_fields[name]
    if isinstance(field.default, bool):
        return [not field.default]
    if isinstance(field.default, str):
        return [value for value in get_args(field.annotation) if value != field.default][:3]
    if field.default is None:
        return [True] if bool in get_args(field.annotation) else [1]
    most = next((rule.le for rule in field.metadata if hasattr(rule, "le")), 1e6)
    value = min(most, type(field.default)(field.default * 10 or 10))
    return [value] if value != field.default else [type(field.default)(field.default / 2)]


def made(scheduler: str, params: dict[str, Any]) -> Experiment:
    stated = DATA_STATED if scheduler in ("fair", "delay-schedule") else {}
    return Experiment.parse(ALONE | {"scheduler": {"name": scheduler, "params": stated | params}})


@functools.cache
def plain(scheduler: str) -> dict[str, Any]:
    return told(made(scheduler, {}))


def told(experiment: Experiment) -> dict[str, Any]:
    """Return the whole summary but for what names the experiment and what the machine took."""
    summary = copy.deepcopy(simulate(experiment).summary)
    summary["counters"].pop("switches", None)  # Phoenix compares load and threshold, whatever then follows from it
    return {key: value for key, value in summary.items() if key not in ("experiment_digest", "performance")}


def spoken(scheduler: str) -> list[str]:
    known = scheduler_by_name(scheduler).params.model_fields
    names = set().union(*SPEAKS.values(), *ALSO.get(scheduler, {}).values())
    return sorted(names & known.keys())


@pytest.mark.parametrize(
    "scheduler", by_loop([spec.name for spec in SCHEDULERS], ["kubernetes-papers", "quincy", "fair"])
)
def test_what_speaks_of_something_that_is_not_there_changes_nothing(scheduler: str) -> None:
    for name in spoken(scheduler):
        for value in others(scheduler, name):
            assert told(made(scheduler, {name: value})) == plain(scheduler), f"{scheduler}.{name} = {value}"


def test_words_that_name_something_are_known() -> None:
    unknown = {
        f"{spec.name}.{name}": field.description
        for spec in SCHEDULERS
        for name, field in spec.params.model_fields.items()
        if name not in ACTS and name not in spoken(spec.name) and NAMES.search(f"{field.title} {field.description}")
    }
    assert not unknown
