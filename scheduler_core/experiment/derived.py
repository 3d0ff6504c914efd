"""Derive names, counts, queues and unsupported features from an experiment without building it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from scheduler_core.errors import Problem, listed
from scheduler_core.experiment.sections import ClusterGroup, Event, Queue, Topology
from scheduler_core.experiment.workloads import (
    DagWorkload,
    Demand,
    InlineWorkload,
    SyntheticWorkload,
    TraceWorkload,
    WorkloadChoice,
)

if TYPE_CHECKING:
    from scheduler_core.experiment.experiment import Experiment

BASE_RESOURCES = ("cpus", "memory_gb")


def cluster_names(topology: Topology) -> Iterator[str]:
    """Name the clusters in order."""
    for group in topology.clusters:
        if group.repeat is None:
            yield group.name
        else:
            yield from (f"{group.name}-{number}" for number in range(group.repeat))


def cluster_count(topology: Topology) -> int:
    """Count the clusters."""
    return sum(group.repeat or 1 for group in topology.clusters)


def machines_of(group: ClusterGroup) -> int:
    """Count the machines of one of the group's clusters."""
    return sum(machines.count for machines in group.machines)


def machine_count(topology: Topology) -> int:
    """Count the machines of all clusters."""
    return sum((group.repeat or 1) * machines_of(group) for group in topology.clusters)


def rack_count(topology: Topology) -> int:
    """Count the racks of all clusters."""
    return sum((group.repeat or 1) * group.racks for group in topology.clusters)


def effective_queues(experiment: Experiment) -> tuple[Queue, ...]:
    """Return the experiment's queues, each with its Global Master; without any, one queue for each Global Master."""
    return queues_of(experiment.queues, experiment.topology)


def queues_of(queues: tuple[Queue, ...], topology: Topology) -> tuple[Queue, ...]:
    """Return the queues of these sections as `effective_queues` does; unassigned ones get masters round-robin."""
    masters = topology.global_masters
    if not queues:
        return tuple(Queue(name=f"q{i}", share=1 / masters, global_master=i) for i in range(masters))
    return tuple(
        queue if queue.global_master is not None else queue.model_copy(update={"global_master": i % masters})
        for i, queue in enumerate(queues)
    )


def demands_of(workload: WorkloadChoice) -> Iterator[tuple[str, Demand]]:
    """Yield every demand with its path."""
    if isinstance(workload, TraceWorkload):
        yield "workload.task_demand", workload.task_demand
    elif isinstance(workload, SyntheticWorkload | DagWorkload):
        if not workload.demands:
            yield "workload.demand", workload.demand
        for i, kind in enumerate(workload.demands):
            yield f"workload.demands[{i}].demand", kind.demand
        for i, one in enumerate(workload.classes or () if isinstance(workload, SyntheticWorkload) else ()):
            if one.demand is not None:
                yield f"workload.classes[{i}].demand", one.demand
    else:
        for i, job in enumerate(workload.jobs):
            if job.stages is None:
                yield f"workload.jobs[{i}].demand", job.demand
            for j, stage in enumerate(job.stages or ()):
                yield f"workload.jobs[{i}].stages[{j}].demand", stage.demand


def resource_names(topology: Topology, workload: WorkloadChoice) -> tuple[str, ...]:
    """Name the resources that machines have or tasks ask for: cpus, memory_gb, gpus if any, further ones by name."""
    groups = [machines for cluster in topology.clusters for machines in cluster.machines]
    demands = [demand for _, demand in demands_of(workload)]
    drawn = workload.drawn_demand if isinstance(workload, SyntheticWorkload) else None
    asked = any(demand.gpus for demand in demands) or (drawn is not None and "gpus" in drawn.amounts)
    gpus = ("gpus",) if asked or any(group.gpus for group in groups) else ()
    further = {name for group in groups for name in group.resources}
    return (*BASE_RESOURCES, *gpus, *sorted(further))


def has_priorities(experiment: Experiment) -> bool:
    """Return True if any queue, class or job of an experiment has a priority."""
    workload = experiment.workload
    if any(queue.priority is not None for queue in experiment.queues):
        return True
    if isinstance(workload, SyntheticWorkload):
        return any(one.priority is not None for one in workload.classes or ())
    if isinstance(workload, InlineWorkload):
        return any(job.priority is not None or job.priorities is not None for job in workload.jobs)
    return False


def _gangs(workload: WorkloadChoice) -> str | None:
    """Return the path of the first class or job whose tasks start together; None if there is none."""
    if isinstance(workload, SyntheticWorkload):
        at = next((i for i, one in enumerate(workload.classes or ()) if one.gang), None)
        return None if at is None else f"workload.classes[{at}].gang"
    if isinstance(workload, InlineWorkload):
        at = next((i for i, job in enumerate(workload.jobs) if job.gang), None)
        return None if at is None else f"workload.jobs[{at}].gang"
    return None


def _feature_of(event: Event) -> str | None:
    """Name what a scheduler has to be able to do for an event; a burst needs nothing of it."""
    if event.kind == "burst":
        return None
    if event.kind == "set":
        return "share_changes" if event.target.kind == "queue" else "parameter_changes"
    return "master_faults" if event.target.kind in ("local_master", "global_master") else "machine_faults"


def disturbed(experiment: Experiment) -> bool:
    """Return True if the experiment's own section makes tasks on one machine slow each other down."""
    return experiment.interference is not None and experiment.interference.strength > 0


def features(experiment: Experiment) -> dict[str, str]:
    """Return the features beyond the common core that an experiment uses, with the path of the first use."""
    used: dict[str, str] = {}
    for i, group in enumerate(experiment.topology.clusters):
        if group.constraint_mix is not None:
            used.setdefault("constraints", f"topology.clusters[{i}].constraint_mix")
        if group.constraint_shares is not None:
            used.setdefault("constraints", f"topology.clusters[{i}].constraint_shares")
    if experiment.constraints is not None:
        used["constraints"] = "constraints"
        if experiment.constraints.soft:
            used["soft_constraints"] = "constraints.soft"
        if experiment.constraints.racks:
            used["rack_rules"] = "constraints.racks"
    if disturbed(experiment):
        used["interference"] = "interference"
    for i, queue in enumerate(experiment.queues):
        if queue.parent is not None:
            used.setdefault("hierarchy", f"queues[{i}].parent")
    for i, event in enumerate(experiment.events):
        if (feature := _feature_of(event)) is not None:
            used.setdefault(feature, f"events[{i}]")
    if experiment.topology.pooled:
        used["pooled"] = "topology.pooled"
    if (gangs := _gangs(experiment.workload)) is not None:
        used["gangs"] = gangs
    workload = experiment.workload
    if isinstance(workload, DagWorkload):
        used["dag"] = "workload.kind"
    if isinstance(workload, InlineWorkload):
        for i, job in enumerate(workload.jobs):
            if job.constraints:
                used.setdefault("constraints", f"workload.jobs[{i}].constraints")
            if job.stages is not None:
                used.setdefault("dag", f"workload.jobs[{i}].stages")
    return used


_IN_WORDS = {
    "constraints": "constraints",
    "soft_constraints": "soft constraints",
    "rack_rules": "rules about racks",
    "gangs": "gangs, whose tasks start together",
    "interference": "interference between tasks",
    "machine_faults": "faults of machines",
    "master_faults": "faults of masters",
    "share_changes": "changes of shares",
    "parameter_changes": "changes of parameters",
    "priorities": "priorities",
    "hierarchy": "queues in groups",
    "dag": "jobs that are graphs",
    "pooled": "pooled capacity",
    "standing": "tasks that run at time 0",
}
_REMEDIES = {
    "constraints": "leave out `constraints`, `constraint_mix` and the jobs' `constraints`",
    "soft_constraints": "leave out `constraints.soft`: all constraints are hard then",
    "rack_rules": "leave out `constraints.racks`",
    "gangs": "leave out `gang`, or choose a scheduler that has gangs, such as 'kubernetes-papers', 'omega' or "
    "'tetrisched'",
    "interference": "leave out `interference`: a public program runs one task on a machine, so nothing runs beside it; "
    "a pipeline copies, moves and splits tasks while they run",
    "machine_faults": "leave out the events that fail, drain or recover machines, racks and clusters, or stop tasks",
    "master_faults": "leave out the events that fail or recover Local Masters and Global Masters",
    "share_changes": "leave out the events that set a queue's share",
    "parameter_changes": "leave out the events that set the scheduler's parameters",
    "hierarchy": "leave out the queues' `parent`, or choose 'mesos', 'drf', 'wdrf' or 'capacity'",
    "dag": "choose a scheduler of the family 'dag', or give jobs `durations_s` instead of stages",
    "pooled": "choose a scheduler of the family 'dag', or leave out `pooled`",
}


def refused_graphs(experiment: Experiment, supports: frozenset[str]) -> Problem | None:
    """Return the problem of a trace with DAG jobs that the experiment neither supports nor drops; None otherwise."""
    workload = experiment.workload
    if "dag" in supports or not isinstance(workload, TraceWorkload) or workload.graphs == "drop":
        return None
    return Problem(
        "workload.graphs",
        f"the trace has jobs that are graphs, which {_who(experiment)} does not support",
        "'drop', or a scheduler of the family 'dag'",
        "set `graphs` to 'drop' to let all tasks of a job start when it arrives, or choose a scheduler of the family "
        "'dag', such as 'carbyne', to have them wait",
    )


def _who(experiment: Experiment) -> str:
    profile = experiment.scheduler.params.get("profile", "paper")
    under = "" if profile == "paper" else f" under the profile '{profile}'"
    return f"the scheduler '{experiment.scheduler.name}'{under}"


def unsupported(experiment: Experiment, supports: frozenset[str]) -> list[Problem]:
    """Return the features that an experiment uses and its scheduler does not support, as problems."""
    return [
        Problem(
            path,
            f"{_who(experiment)} does not support {_IN_WORDS[feature]}",
            listed([_IN_WORDS.get(name, name) for name in sorted(supports)]),
            _REMEDIES[feature],
        )
        for feature, path in features(experiment).items()
        if feature not in supports
    ]
