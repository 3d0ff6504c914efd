"""Sparrow's interface to the driver: packing, layers, counters and series."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from scheduler_core.engine.events import EVENT_HEADROOM
from scheduler_core.engine.incidents import look_for
from scheduler_core.engine.records import LISTS, NOBODY, QUEUES, Records, World, records
from scheduler_core.experiment import Experiment
from scheduler_core.schedulers.probing.sparrow import kernel as loop
from scheduler_core.schedulers.probing.sparrow.params import SparrowCParams, SparrowParams
from scheduler_core.schedulers.probing.sparrow.state import RULES, WORKER, SparrowState
from scheduler_core.schedulers.shared.probing.hybrid import forgotten, most_at_once, probe_ratio_turn
from scheduler_core.schedulers.shared.probing.packing import eligible_machines, grow_probes, probing_groups
from scheduler_core.schedulers.shared.probing.racks import bind_to_racks, draw_within_racks
from scheduler_core.schedulers.shared.probing.state import LINK, PROBE_RECORD, PUBLIC, TO_WORKER
from scheduler_core.world.protocol import DefaultProtocol
from scheduler_core.world.spec import SchedulerSpec
from scheduler_core.world.start import Start
from scheduler_core.world.turning import Chosen, Turn


class SparrowProtocol(DefaultProtocol):
    """See scheduler_core.world.protocol.Protocol; `kind` is SparrowCParams for Sparrow-C."""

    loop = loop
    columns: ClassVar[dict[str, str]] = {"queue": "worker.length"}

    def __init__(self, spec: SchedulerSpec, kind: type[SparrowParams] = SparrowParams) -> None:
        super().__init__(spec)
        self.kind = kind

    def event_room(self, experiment: Experiment, params: SparrowParams, largest_job: int) -> int:
        """Return room for all probes of a job of one group; where groups are more, `pack` knows better."""
        return EVENT_HEADROOM + max(_least_probes(params), math.ceil(params.probe_ratio) * largest_job)

    def pack(self, start: Start[SparrowParams]) -> SparrowState:
        experiment, params, world = start.experiment, start.params, start.world
        machines = len(world.machine)
        rules = _rules(experiment, params)
        public = bool(rules[0].public)
        look_for(world, LISTS | QUEUES)
        rack = bind_to_racks(experiment, world)
        group, first_group, order = probing_groups(world, params.sampling == "per_task" and not public, rack)
        world.task["kind"][order] = np.repeat(np.arange(len(group)), group["end"] - group["next"])
        room = EVENT_HEADROOM + most_at_once(group, first_group, params.probe_ratio, int(rules[0].least_probes))
        rules["room"] = room
        forget = forgotten(params, world, isinstance(params, SparrowCParams))
        eligible, listed = eligible_machines(world, forgetting=forget > 0)
        if isinstance(params, SparrowCParams):
            its_job = np.repeat(np.arange(len(world.job)), np.diff(first_group))
            group["able"][world.job["mean_ns"][its_job] > round(params.short_cutoff_s * 1e9)] += forget
        eligible = draw_within_racks(world, group, order, rack, eligible)
        worker = records(machines, WORKER)
        worker["first"] = worker["last"] = NOBODY
        linked, early = bool(rules[0].cancels), not rules[0].late
        answers = max(room, math.ceil(params.probe_ratio) * int((group["end"] - group["next"]).max(initial=0)))
        state = SparrowState(
            rules=rules,
            worker=worker,
            probe=records(0, PROBE_RECORD),
            link=records(0 if linked or early else 1, LINK),
            group=group,
            first_group=first_group,
            order=order,
            eligible=eligible,
            listed=listed,
            sampled_for=np.zeros(machines, np.int32),
            keys=np.zeros(answers if early else 1, np.int64),
            answered=np.zeros(answers if early else 1, np.int32),
        )
        return grow_probes(state, 2 * room + machines)

    def amounts(self, world: World, state: SparrowState, layer: str, machines: Any) -> Any:
        return state.worker["length"][machines]

    def series(self, world: World, state: SparrowState) -> dict[str, float]:
        return {"probes_waiting": float(state.rules[0].waiting)}

    def grow(self, world: World, state: SparrowState) -> SparrowState:
        """Double the pool of probes."""
        return grow_probes(state, 2 * len(state.probe))

    def turns(self, params: SparrowParams) -> Mapping[str, Turn]:
        if params.profile == "public-simulator":
            return {}
        turns = {"probe_ratio": probe_ratio_turn(params.probe_ratio)}
        if params.late_binding:
            turns["cancellation"] = Turn((Chosen("cancels", {False: 0, True: 1}),), packed=True)
        return turns

    def inspect(self, world: World, state: SparrowState) -> dict[str, Any]:
        length = state.worker["length"]
        return {
            "probes_waiting": int(length.sum()),
            "longest_queue": int(length.max(initial=0)),
            "workers_with_a_queue": int((length > 0).sum()),
        }


def _least_probes(params: SparrowParams) -> int:
    """Return the least probes per job in the public programs of Eagle's and of Phoenix's authors."""
    return 20 if isinstance(params, SparrowCParams) else 2


def _rules(experiment: Experiment, params: SparrowParams) -> Records:
    rules = records(1, RULES)
    public = params.profile == "public-simulator"
    rules["delay_ns"] = round(experiment.network.message_delay_s * 1e9)
    rules["probes_per_1000_tasks"] = round(params.probe_ratio * 1000)
    rules["public"] = public
    rules["late"] = public or params.late_binding
    rules["repeats"], rules["least_probes"] = public, _least_probes(params) if public else 0
    rules["probe_kind"] = PUBLIC if public else TO_WORKER
    rules["cancels"] = params.cancellation and params.late_binding and not public
    return rules
