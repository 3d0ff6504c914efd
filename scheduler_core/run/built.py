"""Build a run before its scheduler comes in: machines, workload, and the world at time zero.

Building takes most of the time of a short run. A caller that simulates many similar experiments (a slider) keeps the
builds.
"""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import Any

from scheduler_core.cluster import Cluster, build_cluster
from scheduler_core.constraints import machine_offers, slowest, soft_mask, task_asks
from scheduler_core.engine.copies import copied
from scheduler_core.engine.records import World
from scheduler_core.errors import ExperimentError, Problem
from scheduler_core.experiment import Experiment, ResolveTrace
from scheduler_core.experiment.derived import features, refused_graphs
from scheduler_core.experiment.digest import canonical
from scheduler_core.limits import Limits
from scheduler_core.run.memory import refuse_without_memory
from scheduler_core.workload import Workload, build_workload
from scheduler_core.workload.build import refuse_endless
from scheduler_core.workload.clusters.standing import Standing
from scheduler_core.workload.recorded import Recorded
from scheduler_core.workload.stages import Stages
from scheduler_core.world import pack
from scheduler_core.world.protocol import Protocol
from scheduler_core.world.spec import Params, SchedulerSpec
from scheduler_core.world.standing import SUPPORT, standing_notes, start_standing, without_held

#: Sections that decide what is in a build. The scheduler does by its name and by a profile that reads work its own way.
_DECIDING = ("topology", "constraints", "queues", "workload", "events", "seed")


_GRAPHS_KEEP = Problem(
    "constraints.impossible_tasks",
    "is 'drop', and jobs are graphs: a stage cannot go on without the data of a task that it waits for",
    "'keep'",
    "choose 'keep', or a workload whose tasks do not wait for each other",
)


@dataclass(frozen=True)
class Built:
    """`planned` is the workload before events move it; `room` is the most events that one step may schedule in `world`.

    `stages` are those of the jobs as they are in `world`; None if no task waits for others. `standing` says which tasks
    run at time 0; None if the workload does not come from a cluster. `recorded` has the starts that its source knows.
    """

    cluster: Cluster
    planned: Workload
    notes: tuple[str, ...]
    world: World
    room: int
    stages: Stages | None
    standing: Standing | None = None
    recorded: Recorded | None = None

    def fresh(self) -> Built:
        """Return a copy whose world a run may change."""
        return replace(self, world=World._make(map(copied, self.world)))

    @property
    def bytes(self) -> int:
        """Return the size of the arrays in bytes."""
        arrays = (*self.world, self.planned.tasks, self.planned.jobs, self.cluster.capacity)
        return sum(array.nbytes for array in arrays)


def build(
    experiment: Experiment,
    spec: SchedulerSpec,
    protocol: Protocol,
    params: Params,
    resolve_trace: ResolveTrace | None,
    limits: Limits,
    spared: tuple[int, int] | None = None,
) -> Built:
    """Build the machines, the workload and the world of an experiment. Raises ExperimentError.

    `spared` is (task, mask of constraints that the task does not request, whatever the experiment says).
    """

    def as_read(work: Workload) -> Workload:
        return spec.reads(experiment, work) if spec.reads else work

    cluster = build_cluster(experiment, limits=limits)
    workload = build_workload(experiment, cluster, resolve_trace=resolve_trace, limits=limits)
    refuse_without_memory(len(workload.tasks), len(cluster.capacity), limits)
    if workload.stages is not None and (problem := refused_graphs(experiment, spec.honors(experiment))):
        raise ExperimentError([problem])
    if workload.stages is not None and spec.drops(experiment):
        raise ExperimentError([_GRAPHS_KEEP])
    supported = SUPPORT in spec.honors(experiment)
    if not supported:
        cluster = without_held(cluster, workload)
    planned = as_read(workload.before_bursts or workload)
    workload = planned if workload.before_bursts is None else as_read(workload)
    room = protocol.event_room(experiment, params, _largest_job(workload))
    masks: dict[str, Any] = {}
    if "constraints" in features(experiment):
        masks = {"offers": machine_offers(experiment, cluster), "asks": task_asks(experiment, workload)}
        if spared is not None and spared[0] < len(workload.tasks):
            masks["asks"][spared[0]] &= ~spared[1]
    if experiment.constraints is not None and experiment.constraints.soft:
        masks["soft"], slowdowns = soft_mask(experiment.constraints)
        refuse_endless(workload, cluster, slowest(slowdowns))
    world = pack.pack_world(cluster, workload, experiment.seed, room, **masks)
    world = start_standing(world, workload, supported=supported)
    notes = workload.notes + standing_notes(workload, spec.label, supported=supported)
    notes += (spec.note,) if spec.note else ()
    if workload.priority is not None:
        if "priorities" in spec.honors(experiment):
            world.task["kind"] = workload.priority
        else:
            notes += (f"{spec.label} ignores the priorities of this experiment.",)
    if workload.gang is not None:  # a scheduler without gangs has refused the experiment already
        world.task["requested"] = workload.gang[world.task["job"]]
    return Built(cluster, planned, notes, world, room, workload.stages, workload.standing, workload.recorded)


def _largest_job(workload: Workload) -> int:
    return int(workload.jobs["tasks"].max(initial=0))


class KeptBuilds:
    """Keep the latest builds by digest, as many as fit in memory; use it in one thread."""

    def __init__(self, most_bytes: int = 256_000_000) -> None:
        self.hits = 0
        self._most_bytes = most_bytes
        self._kept: OrderedDict[str, Built] = OrderedDict()

    def get(
        self,
        experiment: Experiment,
        spec: SchedulerSpec,
        protocol: Protocol,
        params: Params,
        resolve_trace: ResolveTrace | None,
        limits: Limits,
    ) -> Built:
        """Return the build of an experiment: a copy of a kept build, or a new one. Raises ExperimentError."""
        key = _digest(experiment, resolve_trace)
        built = self._kept.pop(key, None)
        if built is not None and protocol.event_room(experiment, params, _largest_job(built.planned)) <= built.room:
            self.hits += 1
        else:
            built = build(experiment, spec, protocol, params, resolve_trace, limits)
        self._kept[key] = built
        while self._kept and sum(kept.bytes for kept in self._kept.values()) > self._most_bytes:
            self._kept.popitem(last=False)
        return built.fresh()


def _digest(experiment: Experiment, resolve_trace: ResolveTrace | None) -> str:
    whole = json.loads(canonical(experiment, resolve_trace))
    params = whole["scheduler"].get("params", {})
    reads_its_own_way = params.get("profile", "paper") != "paper"
    deciding = {name: whole.get(name) for name in _DECIDING}
    deciding["scheduler"] = [whole["scheduler"]["name"], params if reads_its_own_way else {}]
    return hashlib.sha256(json.dumps(deciding, sort_keys=True).encode()).hexdigest()
