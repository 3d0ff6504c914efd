"""Check an experiment's parts against each other, the limits, and the scheduler's own parameters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from pydantic import ValidationError

from scheduler_core.errors import Problem, did_you_mean, listed, shown
from scheduler_core.experiment import catalogues, derived
from scheduler_core.experiment.check_constraints import check_constraint_names, shares_path
from scheduler_core.experiment.check_events import check_events
from scheduler_core.experiment.check_workload import (
    check_inline_names,
    check_workload,
    check_workload_queues,
    check_workload_resources,
)
from scheduler_core.experiment.classes import YAHOO_S, work_cutoff
from scheduler_core.experiment.constraints import Constraints
from scheduler_core.experiment.problems import from_pydantic, join
from scheduler_core.experiment.sections import Queue, SchedulerChoice, Stop, Topology
from scheduler_core.experiment.workloads import WorkloadChoice
from scheduler_core.known import registries
from scheduler_core.limits import Limits

_RESERVED = ("cpus", "memory_gb", "gpus")


def check_sizes(limits: Limits, topology: Topology) -> Iterator[Problem]:
    """Hold the topology against the limits."""
    for name, asked, path in (
        ("global_masters", topology.global_masters, "topology.global_masters"),
        ("clusters", derived.cluster_count(topology), "topology.clusters"),
        ("machines", derived.machine_count(topology), "topology.clusters"),
    ):
        if (problem := limits.exceeded(name, asked, path)) is not None:
            yield problem


def check_clusters(limits: Limits, topology: Topology) -> Iterator[Problem]:
    """Hold each cluster's racks, names and resources against one another."""
    resources: set[str] = set()
    for i, group in enumerate(topology.clusters):
        machines = derived.machines_of(group)
        if group.racks > machines:
            yield Problem(
                f"topology.clusters[{i}].racks",
                f"is {group.racks:,} for {machines:,} machines",
                "at most one rack for each machine",
            )
        for j, kind in enumerate(group.machines):
            resources.update(kind.resources)
            for name in _RESERVED:
                if name in kind.resources:
                    yield Problem(
                        f"topology.clusters[{i}].machines[{j}].resources.{name}",
                        "is a resource with a field of its own",
                        "names other than cpus, memory_gb, gpus",
                        f"write it beside `resources`, as `{name}`",
                    )
    if (problem := limits.exceeded("resources", len(resources) + 3, "topology.clusters")) is not None:
        yield problem
    if derived.cluster_count(topology) <= limits.clusters:
        for name, times in Counter(derived.cluster_names(topology)).items():
            if times > 1:
                yield Problem(
                    "topology.clusters",
                    f"{times:,} clusters are called {shown(name)}",
                    "each name once",
                    "give the groups different names, or use `repeat`",
                )


def check_constraints(limits: Limits, topology: Topology, constraints: Constraints | None) -> Iterator[Problem]:
    """Let a mix come with a catalogue that has it."""
    for i, group in enumerate(topology.clusters):
        path, mix = f"topology.clusters[{i}].constraint_mix", group.constraint_mix
        if mix is None:
            pass
        elif constraints is None:
            yield Problem(
                path,
                f"is {shown(mix)}, but the experiment has no `constraints`",
                "a mix together with a catalogue",
                "add `constraints`, or remove the mix",
            )
        elif mix not in (mixes := catalogues.MIXES[constraints.catalogue]):
            yield Problem(
                path,
                f"is {shown(mix)}, which the catalogue '{constraints.catalogue}' does not have"
                f"{did_you_mean(mix, mixes)}",
                listed(mixes),
            )
        if constraints is None and (place := shares_path(i, group)) is not None:
            yield Problem(
                place,
                "names constraints, but the experiment has no `constraints`",
                "a catalogue as well",
                "add `constraints`, or remove the shares",
            )
    if constraints is None:
        return
    if (problem := limits.exceeded("constraints", len(constraints.custom), "constraints.custom")) is not None:
        yield problem
    for name, times in Counter(kind.name for kind in constraints.custom).items():
        if times > 1:
            yield Problem("constraints.custom", f"has {times:,} constraints called {shown(name)}", "each name once")
    yield from check_constraint_names(topology, constraints)


def check_queues(limits: Limits, queues: tuple[Queue, ...]) -> Iterator[Problem]:
    """Check that each queue has its own name, and that all shares together are at most 1."""
    if (problem := limits.exceeded("queues", len(queues), "queues")) is not None:
        yield problem
    for name, times in Counter(queue.name for queue in queues).items():
        if times > 1:
            yield Problem("queues", f"{times:,} queues are called {shown(name)}", "each name once")
    total = sum(queue.share for queue in queues)
    if total > 1 + 1e-9:
        yield Problem("queues", f"have shares that add up to {total:.6g}", "at most 1", "lower some of the shares")


def check_masters(limits: Limits, topology: Topology, queues: tuple[Queue, ...]) -> Iterator[Problem]:
    """Let each queue have a Global Master that is there."""
    masters = topology.global_masters
    for i, queue in enumerate(queues):
        if queue.global_master is not None and queue.global_master >= masters:
            yield Problem(
                f"queues[{i}].global_master",
                f"is {queue.global_master:,}",
                f"0 to {masters - 1:,}, as topology.global_masters is {masters:,}",
                "name one of them, or raise topology.global_masters",
            )


def check_stop(limits: Limits, stop: Stop, warmup_s: float) -> Iterator[Problem]:
    """Let the warm-up end before the run does."""
    if stop.at_s is not None and warmup_s >= stop.at_s:
        yield Problem("warmup_s", f"is {warmup_s:g}, and the run ends at {stop.at_s:g}", "less than stop.at_s")


def scheduler_params(
    scheduler: SchedulerChoice, workload: WorkloadChoice | None
) -> tuple[dict[str, Any], list[Problem]]:
    """Check the parameters by the scheduler's own model; give them with defaults expanded, or the problems.

    A cut-off for short jobs that is not given follows from the workload. The profiles of programs keep their own.
    """
    known = registries().scheduler_params()
    model = registries().params_of(scheduler.name)
    if (problem := _other_plugin(scheduler, model is not None)) is not None:
        return {}, [problem]
    if model is None:
        return {}, [
            Problem(
                "scheduler.name",
                f"no scheduler is called {shown(scheduler.name)}{did_you_mean(scheduler.name, known)}",
                listed(known),
            )
        ]
    params, problems = dict(scheduler.params), []
    cutoff = model.model_fields.get("short_cutoff_s")
    open_ = cutoff is not None and cutoff.default == YAHOO_S and "short_cutoff_s" not in params
    if workload is not None and open_ and params.get("profile", "paper") == "paper":
        params["short_cutoff_s"] = work_cutoff(workload).seconds
    for name, field in model.model_fields.items():
        # Pydantic would take true for 1 and "10" for 10; what an experiment says is what it means.
        if name in params and field.annotation in (int, float) and isinstance(params[name], bool | str):
            problems.append(
                Problem(join("scheduler.params", name), f"is {shown(params.pop(name))}, not a number", "a number")
            )
    valid = model.names(params)
    for name in set(params) - set(valid):
        problems.append(
            Problem(
                join("scheduler.params", name),
                f"is not a parameter of '{scheduler.name}'{did_you_mean(name, valid)}",
                listed(valid),
            )
        )
        del params[name]
    params, found = model.completed(params)
    problems += found
    try:
        expanded: dict[str, Any] = model.model_validate(params).model_dump(mode="json")
    except ValidationError as error:
        return {}, problems + from_pydantic(error, model, params, "scheduler.params")
    return expanded, problems


def _other_plugin(scheduler: SchedulerChoice, is_known: bool) -> Problem | None:
    """Return the problem of an experiment whose plugin is not here, or not in the form that the experiment names."""
    stated = scheduler.plugin_sha256
    here = registries().plugin_sha256(scheduler.name) if is_known else None
    if stated is None or stated == here:
        return None
    named = f"the plugin {shown(scheduler.name)}"
    if here is not None:
        what = f"names {named} with the SHA-256 {stated[:12]}…; the file here has {here[:12]}…"
        remedy = "load the file that the experiment was made with, or remove plugin_sha256 to use the file as it is now"
    else:
        what = f"names {named}, whose file is not here (SHA-256 {stated[:12]}…)"
        remedy = "name the file: --plugin FILE.py on the command line, PLAYGROUND_PLUGINS for a playground"
    return Problem("scheduler.plugin_sha256", what, remedy=remedy)


_CHECKS: tuple[tuple[tuple[str, ...], Callable[..., Iterator[Problem]]], ...] = (
    (("topology",), check_sizes),
    (("topology",), check_clusters),
    (("topology", "constraints"), check_constraints),
    (("queues",), check_queues),
    (("topology", "queues"), check_masters),
    (("workload",), check_workload),
    (("topology", "workload"), check_workload_resources),
    (("topology", "queues", "constraints", "workload"), check_inline_names),
    (("topology", "queues", "workload"), check_workload_queues),
    (("topology", "queues", "scheduler", "events"), check_events),
    (("stop", "warmup_s"), check_stop),
)


def cross_problems(sections: dict[str, Any], limits: Limits) -> tuple[list[Problem], dict[str, Any]]:
    """Run every check whose sections are valid; give the problems and the scheduler's expanded parameters."""
    problems: list[Problem] = []
    for needs, check in _CHECKS:
        if all(name in sections for name in needs):
            problems += check(limits, *(sections[name] for name in needs))
    params: dict[str, Any] = {}
    if "scheduler" in sections:
        params, found = scheduler_params(sections["scheduler"], sections.get("workload"))
        problems += found
    return problems, params
