"""Check a workload: sizes against the limits, names against the rest of the experiment, DAGs for cycles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from scheduler_core.errors import Problem, did_you_mean, listed, shown
from scheduler_core.experiment import catalogues, derived
from scheduler_core.experiment.arrivals import AtOnce
from scheduler_core.experiment.constraints import Constraints
from scheduler_core.experiment.sections import Queue, Topology
from scheduler_core.experiment.workloads import (
    DagWorkload,
    InlineJob,
    InlineWorkload,
    Stage,
    SyntheticWorkload,
    TraceWorkload,
    WorkloadChoice,
)
from scheduler_core.known import registries
from scheduler_core.limits import Limits

MOST_PROBLEMS = 50


def check_workload(limits: Limits, workload: WorkloadChoice) -> Iterator[Problem]:
    """Hold the workload against the limits and itself."""
    if isinstance(workload, InlineWorkload):
        yield from _first(_inline(limits, workload))
    elif isinstance(workload, TraceWorkload):
        yield from _format(workload)
    else:
        tasks = workload.tasks if isinstance(workload, SyntheticWorkload) else workload.jobs
        for name, asked in (("jobs", workload.jobs), ("tasks", tasks)):
            if asked is not None and (problem := limits.exceeded(name, asked, f"workload.{name}")) is not None:
                yield problem
        if isinstance(workload, DagWorkload) and workload.queue_assignment == "column":
            yield Problem(
                "workload.queue_assignment",
                "takes queues from a column, which a generated workload does not have",
                "round_robin, by_share, hash",
            )


def check_workload_resources(limits: Limits, topology: Topology, workload: WorkloadChoice) -> Iterator[Problem]:
    """Let tasks ask only for resources that some machine might have."""
    names = derived.resource_names(topology, workload)
    capacity = dict.fromkeys(names, 0.0)
    for group in topology.clusters:
        for kind in group.machines:
            for name, amount in (
                ("cpus", kind.cpus),
                ("memory_gb", kind.memory_gb),
                ("gpus", kind.gpus),
                *kind.resources.items(),
            ):
                capacity[name] = capacity.get(name, 0.0) + amount
    loaded = (
        isinstance(workload, SyntheticWorkload | DagWorkload)
        and not isinstance(workload.arrivals, AtOnce)
        and (workload.arrivals.offered_load is not None)
    )
    if isinstance(workload, SyntheticWorkload) and workload.drawn_demand is not None:
        for name in workload.drawn_demand.amounts:
            if name not in names:
                yield Problem(
                    f"workload.drawn_demand.amounts.{name}",
                    f"no machine has a resource of this name{did_you_mean(name, list(names))}",
                    listed(names),
                )
    for path, demand in derived.demands_of(workload):
        for name in demand.resources:
            if name not in names or name in ("cpus", "memory_gb", "gpus"):
                further = [known for known in names if known not in ("cpus", "memory_gb", "gpus")]
                yield Problem(
                    f"{path}.resources.{name}",
                    f"no machine has a further resource of this name{did_you_mean(name, further)}",
                    listed(further),
                )
        if loaded:
            for name, amount in (("cpus", demand.cpus), ("memory_gb", demand.memory_gb), ("gpus", demand.gpus)):
                if amount > 0 and capacity.get(name, 0.0) <= 0:
                    yield Problem(
                        "workload.arrivals.offered_load",
                        f"counts in {name}, of which the machines have none",
                        "a load of resources that the machines have",
                        f"give the machines {name}, or the tasks no demand for it",
                    )


def check_inline_names(
    limits: Limits,
    topology: Topology,
    queues: tuple[Queue, ...],
    constraints: Constraints | None,
    workload: WorkloadChoice,
) -> Iterator[Problem]:
    """Let inline jobs name queues and constraints that exist."""
    if isinstance(workload, InlineWorkload) and topology.global_masters <= limits.global_masters:
        known_queues = [queue.name for queue in derived.queues_of(queues, topology)]
        known = catalogues.constraint_names(constraints) if constraints is not None else ()
        yield from _first(_names(workload, known_queues, known))


def check_workload_queues(
    limits: Limits, topology: Topology, queues: tuple[Queue, ...], workload: WorkloadChoice
) -> Iterator[Problem]:
    """Let classes and rules of a synthetic workload name queues that exist."""
    if not isinstance(workload, SyntheticWorkload) or topology.global_masters > limits.global_masters:
        return
    named = [(f"workload.classes[{i}].queue", one.queue) for i, one in enumerate(workload.classes or ())]
    named += [(f"workload.queue_rules[{i}].queue", rule.queue) for i, rule in enumerate(workload.queue_rules or ())]
    known = [queue.name for queue in derived.queues_of(queues, topology)]
    for path, name in named:
        if name is not None and name not in known:
            yield Problem(path, f"no queue is called {shown(name)}{did_you_mean(name, known)}", listed(known))


def _names(workload: InlineWorkload, queues: list[str], constraints: tuple[str, ...]) -> Iterator[Problem]:
    queue_set, constraint_set = set(queues), set(constraints)
    for i, job in enumerate(workload.jobs):
        path = f"workload.jobs[{i}]"
        if job.queue is not None and job.queue not in queue_set:
            yield Problem(
                f"{path}.queue",
                f"no queue is called {shown(job.queue)}{did_you_mean(job.queue, queues)}",
                listed(queues),
            )
        for j, name in enumerate(job.constraints):
            if name not in constraint_set:
                yield Problem(
                    f"{path}.constraints[{j}]",
                    f"no constraint is called {shown(name)}{did_you_mean(name, constraints)}",
                    listed(constraints) if constraints else "none, as the experiment has no `constraints`",
                )


def _inline(limits: Limits, workload: InlineWorkload) -> Iterator[Problem]:
    tasks = 0
    for i, job in enumerate(workload.jobs):
        tasks += len(job.durations_s or ()) + sum(stage.tasks for stage in job.stages or ())
        if workload.queue_assignment == "column" and job.queue is None:
            yield Problem(
                f"workload.jobs[{i}].queue", "is missing, and queue_assignment is 'column'", "the name of a queue"
            )
        yield from _stages(f"workload.jobs[{i}]", job)
    for name, asked in (("jobs", len(workload.jobs)), ("tasks", tasks)):
        if (problem := limits.exceeded(name, asked, "workload.jobs")) is not None:
            yield problem


def _stages(path: str, job: InlineJob) -> Iterator[Problem]:
    stages = job.stages or ()
    names = [stage.name for stage in stages]
    for name, times in Counter(names).items():
        if times > 1:
            yield Problem(f"{path}.stages", f"has {times:,} stages called {shown(name)}", "each name once in a job")
            return
    known = set(names)
    for j, stage in enumerate(stages):
        for k, parent in enumerate(stage.after):
            if parent not in known:
                yield Problem(
                    f"{path}.stages[{j}].after[{k}]",
                    f"no stage of this job is called {shown(parent)}{did_you_mean(parent, names)}",
                    listed(names),
                )
    if cycle := find_cycle(stages):
        yield Problem(
            f"{path}.stages",
            f"wait for each other in a circle: {' after '.join(shown(name) for name in cycle)}",
            "no stage waits for itself, however indirectly",
            "remove one `after`",
        )


def find_cycle(stages: tuple[Stage, ...]) -> list[str]:
    """Return one cycle of stage names, with the first repeated at the end; empty if there is none."""
    parents = {stage.name: stage.after for stage in stages}
    children: dict[str, list[str]] = {name: [] for name in parents}
    waiting = {}
    for name, after in parents.items():
        known = {parent for parent in after if parent in parents}
        waiting[name] = len(known)
        for parent in known:
            children[parent].append(name)
    ready = [name for name, count in waiting.items() if not count]
    while ready:
        name = ready.pop()
        del waiting[name]
        for child in children[name]:
            waiting[child] -= 1
            if not waiting[child]:
                ready.append(child)
    if not waiting:
        return []
    # Every remaining stage waits for another remaining one, so following parents must lead into a circle.
    path: list[str] = []
    seen: dict[str, int] = {}
    here = next(iter(waiting))
    while here not in seen:
        seen[here] = len(path)
        path.append(here)
        here = next(parent for parent in parents[here] if parent in waiting)
    return [*path[seen[here] :], here]


def _format(workload: TraceWorkload) -> Iterator[Problem]:
    names = registries().trace_formats()
    if workload.format is not None and workload.format not in names:
        yield Problem(
            "workload.format",
            f"no reader is called {shown(workload.format)}{did_you_mean(workload.format, names)}",
            listed(names),
            "or leave it out: the content shows the format",
        )


def _first(problems: Iterator[Problem]) -> Iterator[Problem]:
    """Pass on as many problems as a person can use, and say that there are more."""
    for number, problem in enumerate(problems):
        if number == MOST_PROBLEMS:
            yield Problem("workload.jobs", f"has more problems than the {MOST_PROBLEMS} above")
            return
        yield problem
