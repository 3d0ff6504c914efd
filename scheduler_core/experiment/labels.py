"""Labels of an experiment's fields, as forms show them, such as “message delay” for `network.message_delay_s`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from scheduler_core.errors import Problem
from scheduler_core.experiment.options import option_label
from scheduler_core.known import registries

#: By path without places in lists. A scheduler declares the labels of its parameters with the parameters.
LABELS = {
    "seed": "Seed",
    "topology.global_masters": "Global Masters",
    "topology.clusters.repeat": "Clusters",
    "topology.clusters.racks": "Racks per cluster",
    "topology.clusters.machines.count": "Machines per cluster",
    "topology.clusters.machines.cpus": "CPUs per machine",
    "topology.clusters.machines.memory_gb": "Memory per machine",
    "constraints.task_share": "Tasks with constraints",
    "constraints.catalogue": "Catalogue",
    "constraints.correlation": "Correlation of all pairs",
    "constraints.layout": "Machines get properties",
    "constraints.impossible_tasks": "Tasks that no machine can run",
    "queues.global_master": "Served by",
    "queues.group": "Group",
    "queues.priority": "Priority",
    "workload.arrivals.offered_load": "Load",
    "workload.arrivals.rate_per_s": "Jobs per second",
    "workload.arrive_for_s": "Jobs arrive for",
    "workload.demand.cpus": "CPUs per task",
    "workload.duration_s": "Task duration",
    "workload.jobs": "Total jobs",
    "workload.offered_load": "Load",
    "workload.resampling": "Resample jobs by seed",
    "workload.resampling.block_jobs": "Jobs of a block",
    "workload.rate_factor": "Speed up arrivals (×)",
    "workload.tasks": "Total tasks",
    "workload.tasks_per_job": "Tasks per job",
    "network.message_delay_s": "Message delay",
    "interference.strength": "Interference",
}
_PLACE = re.compile(r"\[\d+\]")
_OF_DISTRIBUTION = re.compile(r"\.(?:value|mean)$")
_PARAM = re.compile(r"scheduler\.params\.(\w+)")


def label_of(path: str, schedulers: Iterable[str] = ()) -> str:
    """Return the label of the field at a path, or an empty string if it has none.

    It looks up a parameter in the named schedulers, in order; without names, in all listed ones.
    """
    if found := _PARAM.match(path):
        return next(filter(None, (_of_param(model, found[1]) for model in _models(schedulers))), "")
    plain = _PLACE.sub("", path)
    return LABELS.get(plain) or LABELS.get(_OF_DISTRIBUTION.sub("", plain), "")


def choice_label(path: str, value: str, schedulers: Iterable[str] = ()) -> str:
    """Return the label of a value of a scheduler's parameter, or an empty string without one."""
    found = _PARAM.match(path)
    fields = [model.model_fields.get(found[1]) for model in _models(schedulers) if model] if found else []
    declared = [field.json_schema_extra for field in fields if field and isinstance(field.json_schema_extra, dict)]
    return next((label for each in declared if (label := option_label(each, value)) != value), "")


def labeled(problems: Iterable[Problem], raw: dict[str, Any]) -> tuple[Problem, ...]:
    """Return the problems of raw experiment data with the labels of their fields."""
    choice = raw.get("scheduler")
    name = choice.get("name") if isinstance(choice, dict) else None
    names = [name] if isinstance(name, str) else []
    return tuple(replace(each, label=label_of(each.path, names)) for each in problems)


def _models(schedulers: Iterable[str]) -> list[type[Any] | None]:
    names = tuple(schedulers)
    known = registries()
    return [known.params_of(name) for name in names] if names else list(known.scheduler_params().values())


def _of_param(model: type[Any] | None, name: str) -> str:
    field = model.model_fields.get(name) if model is not None else None
    return str(field.title or "") if field is not None else ""
