"""Build the arrays at the start of a run: kinds of tasks, slots, and the network of an empty datacenter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.constraints import soft_mask
from scheduler_core.engine.events import EVENT_HEADROOM
from scheduler_core.engine.pace import Pace
from scheduler_core.engine.records import NOBODY, Ints, Records, World, records
from scheduler_core.engine.replicas import first_of_racks
from scheduler_core.errors import ExperimentError, Problem
from scheduler_core.experiment import Experiment, effective_queues
from scheduler_core.experiment.derived import has_priorities
from scheduler_core.flow.arrays import empty_net
from scheduler_core.schedulers.flow.graph import lay_out
from scheduler_core.schedulers.flow.policies import OF_RESOURCES, Sizes, bandwidth_of, rules_of, set_base, settings_of
from scheduler_core.schedulers.flow.state import FLOW_JOB, FLOW_MACHINE, FLOW_TASK, KIND, WEIGHTS, FlowState
from scheduler_core.schedulers.flow.utilities import worth_of
from scheduler_core.schedulers.shared.pacing.packing import pack_pace
from scheduler_core.world import pack
from scheduler_core.world.start import Start

_MOST_SLOTS = 1 << 20
_MOST_ARCS = 4_000_000
_MOST_PLACES = 16_000_000


def pack_state(start: Start[Any], params: dict[str, Any]) -> FlowState:
    """Return the state of a run. Raise ExperimentError if the network is too large or costs leave 64 bits."""
    experiment, world = start.experiment, start.world
    rules = rules_of(experiment, params, EVENT_HEADROOM)
    setting = settings_of(start, params)
    # What a later event may need is there from the start.
    used = {name for name in WEIGHTS if any((one[name] > 0).any() for one in (rules, setting))}
    reads = bool(used & {"core_cost", "rack_cost"})
    disturbs, bandwidth = "interference_cost" in used, "bandwidth_cost" in used
    resources = bool(used & OF_RESOURCES)
    rules["reads"], rules["changing"] = reads, disturbs or bandwidth or resources
    rules["spread"] = bool(used & {"load_cost", "random_cost"})
    rules["bandwidth"] = bandwidth_of(experiment, params) if bandwidth else NOBODY
    if experiment.constraints is not None:
        rules["soft"] = soft_mask(experiment.constraints)[0]
    pace = pack_pace(experiment, world, params, placed=reads)
    machine = records(len(world.machine), FLOW_MACHINE)
    machine["slots"] = _slots(world, params.get("slots"))
    level = _levels(experiment, world, rules)
    wants_of, worth, machine["place"] = worth_of(experiment, world, params.get("utilities", ()))
    wants = wants_of[world.job["queue"][world.task["job"]]]
    job = records(len(world.job), FLOW_JOB)
    job["node"], job["queue"] = NOBODY, world.job["queue"]
    task = records(len(world.task), FLOW_TASK)
    task["node"] = task["here"] = NOBODY
    by_use = Parts(disturbs, bandwidth, resources)
    kind, able, task["kind"] = _kinds(world, rules, pace, by_use, wants)
    largest_gb = float(pace.paced["input_gb"].max(initial=0)) if pace.pace[0].reads else 1.0
    sizes = Sizes(
        len(kind),
        int(rules["soft"][0]).bit_count(),
        max(len(level), len(effective_queues(experiment))),
        float(worth.max(initial=0)),
        world.capacity.shape[1] - 2,
    )
    set_base(rules, setting, world, largest_gb, int(machine["slots"].max(initial=1)), sizes)
    return _laid_out(
        experiment,
        world,
        pace,
        {
            "rules": rules,
            "setting": setting,
            "machine": machine,
            "job": job,
            "task": task,
            "kind": kind,
            "kind_arc": np.where(able, 0, NOBODY).astype(np.int32),
            "level": level,
            "worth": worth,
        },
    )


def _laid_out(experiment: Experiment, world: World, pace: Pace, arrays: dict[str, Any]) -> FlowState:
    machine, kinds = arrays["machine"], len(arrays["kind"])
    arcs = int(machine["slots"].sum()) if arrays["rules"]["spread"][0] else len(machine)
    room = 2 * (arcs + 2 * len(machine) + kinds + int((arrays["kind_arc"] != NOBODY).sum())) + 4096
    state = FlowState(
        rack=np.zeros(len(first_of_racks(world)) - 1, np.int32), gather=np.zeros(kinds, np.int32),
        task_of=np.full(room, NOBODY, np.int32),
        queue_share=np.array([queue.share for queue in effective_queues(experiment)]),
        **arrays, **pace._asdict(), **empty_net(room, room, 8 * room)._asdict(),
    )  # fmt: skip
    if not lay_out(world, state, np.ascontiguousarray(world.machine["rack"])):
        raise AssertionError("the network of an empty datacenter has too little room")
    return state


def _slots(world: World, slots: int | None) -> Ints:
    """Return how many tasks a machine takes: as asked, else as many of the smallest as it holds."""
    least = world.demand[-1]
    asked = least > 0
    held = (world.capacity[:, asked] // least[asked]).min(axis=1) if asked.any() else np.full(len(world.machine), 1)
    found: Ints = np.minimum(held, slots if slots else _MOST_SLOTS)
    return found


@dataclass(frozen=True)
class Parts:
    """By what costs of machines change as tasks come and go: company, bandwidth, or all resources."""

    disturbs: bool
    bandwidth: bool
    resources: bool

    @property
    def any(self) -> bool:
        """Whether any of it has a cost."""
        return self.disturbs or self.bandwidth or self.resources


def _levels(experiment: Experiment, world: World, rules: Any) -> npt.NDArray[np.float64]:
    """Return each priority of an experiment as a part of the largest; each task's `kind` becomes the number of its own.

    Without priorities there is one.
    """
    if not has_priorities(experiment):
        return np.zeros(1)
    found, number = np.unique(world.task["kind"], return_inverse=True)
    world.task["kind"] = number.ravel()
    rules["by_task"] = 1
    return np.asarray(found / max(int(found.max(initial=0)), 1), np.float64)


def _kinds(
    world: World, rules: Any, pace: Pace, by_use: Parts, wants: Ints
) -> tuple[Records, npt.NDArray[np.bool_], npt.NDArray[np.int32]]:
    """Return (KIND records, able machines of each kind, kind of each task).

    Tasks to which every machine is the same have none, NOBODY. Hard constraints are machines that a kind lacks.
    """
    soft = int(rules["soft"][0])
    asked = world.asks & soft
    pattern_of, patterns, kind_of_machine = _able(world, pack.without_soft(world.demand, world.asks, soft))
    demand = world.task["demand"]
    columns = [pattern_of[demand], asked[demand], np.zeros(len(demand), np.int64), np.zeros(len(demand), np.int64)]
    if by_use.disturbs and pace.pace[0].disturbs:
        columns[2] = pace.paced["kind"].astype(np.int64)
    if by_use.bandwidth:
        columns[3] = world.demand[demand, int(rules["bandwidth"][0])]
    if by_use.resources:
        columns[3] = np.unique(world.demand, axis=0, return_inverse=True)[1].ravel()[demand]
    columns.append(wants)
    rows, first, row_of = np.unique(np.column_stack(columns), axis=0, return_index=True, return_inverse=True)
    everywhere = patterns[rows[:, 0]].all(axis=1)
    own = np.full(len(rows), by_use.any) | ~everywhere | (rows[:, 1] != 0) | (rows[:, 4] != 0)
    own &= patterns[rows[:, 0]].any(axis=1)
    number = np.where(own, np.cumsum(own) - 1, NOBODY)
    kind = records(int(own.sum()), KIND)
    kind["demand"], kind["group"], kind["soft"] = demand[first[own]], rows[own, 2], rows[own, 1]
    kind["everywhere"] = everywhere[own] & (rows[own, 1] == 0) & (rows[own, 4] == 0)
    kind["wants"] = rows[own, 4]
    in_patterns = patterns @ np.bincount(kind_of_machine, minlength=patterns.shape[1])
    arcs = int(in_patterns[rows[own, 0]].sum())
    if arcs > _MOST_ARCS or len(kind) * len(world.machine) > _MOST_PLACES:
        raise ExperimentError([_too_many_kinds(rules, len(kind), len(world.machine), arcs)])
    able = patterns[rows[own, 0]][:, kind_of_machine]
    return kind, np.ascontiguousarray(able), number[row_of.ravel()].astype(np.int32)


def _too_many_kinds(rules: Any, kinds: int, machines: int, arcs: int) -> Problem:
    return Problem(
        "constraints" if rules["changing"][0] == 0 else "workload",
        f"make {kinds:,} kinds of tasks, which the network leads to {machines:,} machines over {arcs:,} arcs",
        f"at most {_MOST_ARCS:,} arcs, and {_MOST_PLACES:,} kinds times machines (kinds differ in where they can run, "
        "what they could do without and what utilities say of them, under the policies 'coco' and 'net' in how they "
        "disturb others and what bandwidth they ask for, and if resources have costs in what they ask for)",
        "fewer constraints, fewer kinds of machines, or fewer different demands",
    )


def _able(world: World, hard: Ints) -> tuple[Ints, npt.NDArray[np.bool_], Ints]:
    """Return (pattern of each demand class, machine kinds in each pattern, kind of each machine)."""
    kinds, kind_of = np.unique(np.column_stack((world.capacity, world.machine["offers"])), axis=0, return_inverse=True)
    holds = (kinds[:, None, :-1] >= world.demand[None]).all(axis=2)
    offers = (world.asks[hard][None] & ~kinds[:, None, -1]) == 0
    patterns, pattern_of = np.unique((holds & offers).T, axis=0, return_inverse=True)
    return pattern_of.ravel().astype(np.int64), patterns, kind_of.ravel()
