"""Phoenix's interface to the driver: packing, layers, counters and series."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from scheduler_core.constraints import fixed_ratios, soft_mask
from scheduler_core.constraints.preview import axes_of
from scheduler_core.constraints.vectors import bits_of
from scheduler_core.engine.events import EVENT_HEADROOM
from scheduler_core.engine.records import Records, World, records
from scheduler_core.experiment import Experiment
from scheduler_core.experiment.catalogues import constraint_names
from scheduler_core.schedulers.probing.eagle.protocol import base_order, eagle_arrays, grow_eagle
from scheduler_core.schedulers.probing.phoenix import kernel as loop
from scheduler_core.schedulers.probing.phoenix.params import AXES, PhoenixParams
from scheduler_core.schedulers.probing.phoenix.state import CONSTRAINT, MILLION, RULES, SAMPLE, PhoenixState
from scheduler_core.schedulers.shared.probing.hybrid import (
    hybrid_amounts,
    hybrid_series,
    inspect_hybrid,
    relaxed_classes,
)
from scheduler_core.schedulers.shared.probing.packing import grow_probes
from scheduler_core.schedulers.shared.probing.racks import relaxed_rows
from scheduler_core.world.protocol import DefaultProtocol
from scheduler_core.world.start import Start

_AXES = tuple(AXES)


class PhoenixProtocol(DefaultProtocol):
    """See scheduler_core.world.protocol.Protocol."""

    loop = loop

    def event_room(self, experiment: Experiment, params: PhoenixParams, largest_job: int) -> int:
        """Return room for all probes of a job of one group; where groups are more, `pack` knows better."""
        return EVENT_HEADROOM + max(params.min_probes, math.ceil(params.probe_ratio) * largest_job)

    def pack(self, start: Start[PhoenixParams]) -> PhoenixState:
        experiment, params, world = start.experiment, start.params, start.world
        arrays = eagle_arrays(RULES, experiment, world, params, constrained=True)
        rules, constraints = arrays["rules"], experiment.constraints
        public = bool(rules[0].fork)
        _monitor(rules, params)
        soft, slowdown = soft_mask(constraints) if constraints else (0, np.ones(1))
        rules["soft"] = soft
        constraint = _constraints(experiment, world)
        ratio = np.zeros(len(constraint), np.int64)
        if public and constraints is not None:
            ratio[:] = np.round(np.array(fixed_ratios(constraints)) * MILLION)
            rules["unconstrained"] = round(UNCONSTRAINED * MILLION)
        relaxed = relaxed_classes(world, soft)
        state = PhoenixState(
            constraint=constraint,
            sample=records(len(world.machine), SAMPLE),
            total=world.capacity.sum(axis=0),
            relaxed=relaxed if public else relaxed_rows(arrays["eligible"], relaxed),
            slowdown=slowdown,
            **(arrays | {"ratio": ratio}),
        )
        return grow_probes(state, 2 * int(rules[0].room) + len(world.machine))

    def amounts(self, world: World, state: PhoenixState, layer: str, machines: Any) -> Any:
        if layer == "scarcest":
            return state.worker["order"][machines] != state.rules[0].base_order
        return hybrid_amounts(state, layer, machines)

    def series(self, world: World, state: PhoenixState) -> dict[str, float]:
        rules, known = state.rules[0], state.constraint
        most = float((known["demand"] / np.maximum(known["supply"], 1)).max(initial=0.0))
        return hybrid_series(state) | {
            "crv_on": float(rules.on), "scarcest_first": float(rules.scarcest_first), "crv_most": most,
        } | {f"crv_{axis}": _of_axis(known, number) for number, axis in enumerate(_AXES)}  # fmt: skip

    def grow(self, world: World, state: PhoenixState) -> PhoenixState:
        """Double what has run out: probes, or entries of queues."""
        return grow_eagle(state)

    def inspect(self, world: World, state: PhoenixState) -> dict[str, Any]:
        known = state.constraint
        return inspect_hybrid(state) | {
            "crv_for_all_workers": bool(state.rules[0].on),
            "workers_with_the_scarcest_first": int(state.rules[0].scarcest_first),
            "constraints": [{"demand": int(one.demand), "supply": int(one.supply)} for one in known],
        }


UNCONSTRAINED = 1.9122
"""The fixed ratio of jobs without constraints: the public program looks it up one place before the first of its table,
which is the last one, that of the network's speed."""


def _monitor(rules: Records, params: PhoenixParams) -> None:
    rules["interval_ns"], rules["first_ns"] = max(1, round(params.monitor_interval_s * 1e9)), -1
    rules["load_limit"] = round(params.load_threshold_percent / 100 * MILLION)
    rules["wait_limit_s"], rules["memory"] = params.wait_threshold_s, params.wait_memory
    rules["base_order"] = base_order(params, bool(rules[0].fork))
    rules["negotiate_ratio"] = round(params.negotiate_ratio * MILLION) if params.negotiate else 1 << 62


def _constraints(experiment: Experiment, world: World) -> Records:
    """Return a CONSTRAINT record for each constraint of the experiment; one unused record if it has none."""
    if experiment.constraints is None:
        return records(1, CONSTRAINT)
    names = constraint_names(experiment.constraints)
    known = records(len(names), CONSTRAINT)
    known["supply"] = bits_of(world.machine["offers"], len(names)).sum(axis=0)
    known["axis"] = [-1 if axis is None else _AXES.index(axis) for axis in axes_of(experiment.constraints)]
    return known


def _of_axis(known: Records, axis: int) -> float:
    """Return demand over supply of all constraints of a kind."""
    own = known["axis"] == axis
    return float(known["demand"][own].sum() / max(1, int(known["supply"][own].sum())))
