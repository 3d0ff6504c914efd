"""Mesos' interface to the driver: packing of its state."""

from __future__ import annotations

from typing import Any

import numpy as np

from scheduler_core.engine.events import EVENT_HEADROOM
from scheduler_core.engine.incidents import look_for
from scheduler_core.engine.records import LISTS, NOBODY, TASK_WAITING, Records, World, records
from scheduler_core.experiment import Experiment, effective_queues
from scheduler_core.schedulers.offers.mesos import kernel
from scheduler_core.schedulers.offers.mesos.params import MesosParams
from scheduler_core.schedulers.offers.mesos.reasons import DECLINED
from scheduler_core.schedulers.offers.mesos.state import (
    FRAMEWORK,
    GROUP,
    OFFER,
    RULES,
    SETTING,
    MesosState,
)
from scheduler_core.schedulers.shared.groups.tree import FLAT, HDRF, NAIVE, tree_of
from scheduler_core.world.planned import settings_after_events
from scheduler_core.world.protocol import DefaultProtocol
from scheduler_core.world.start import Start

_TREES = {"flat": FLAT, "naive": NAIVE, "hdrf": HDRF}


class MesosProtocol(DefaultProtocol):
    """See scheduler_core.world.protocol.Protocol."""

    loop = kernel

    def event_room(self, experiment: Experiment, params: MesosParams, largest_job: int) -> int:
        """Return the room that the events of a step need: a round sends one message to each framework."""
        return EVENT_HEADROOM + len(effective_queues(experiment))

    def pack(self, start: Start[MesosParams]) -> MesosState:
        """Return the state at time zero."""
        experiment, world = start.experiment, start.world
        look_for(world, LISTS)
        queues = effective_queues(experiment)
        machines, resources = world.capacity.shape
        rules = self.rules(start, RULES)
        _fill(rules, start.params)
        rules["latest_ns"] = -(1 << 60)
        framework, group = _groups(world, len(queues))
        node = tree_of(queues)
        framework["node"] = [int(np.flatnonzero(node["queue"] == f)[0]) for f in range(len(queues))]
        offer = records(machines, OFFER)
        offer["to"] = offer["next"] = offer["first"] = offer["last"] = NOBODY
        return MesosState(
            rules=rules, setting=settings_after_events(start, SETTING, _fill),
            framework=framework, group=group, node=node, offer=offer,
            given=np.zeros((machines, resources), np.int64),
            filtered=np.zeros((len(queues), machines), np.int64), use=np.zeros((len(queues), resources), np.int64),
            spare=np.zeros(resources, np.int64), room=np.zeros(resources, np.int64),
            total=world.capacity.sum(axis=0).astype(np.float64),
            vector=np.zeros((len(node), resources)),
        )  # fmt: skip

    def why_waiting(self, world: World, state: MesosState, task: int) -> dict[str, Any] | None:
        """Return why a task waits: its framework declined all offers, and has taken none since."""
        framework = int(world.job["queue"][world.task["job"][task]])
        row = state.framework[framework]
        if world.task[task].state != TASK_WAITING or row.told == 0:
            return None
        return {"reason": DECLINED, "to": framework, "x": len(state.offer), "y": int(row.waiting)}


def _fill(rules: Any, params: MesosParams) -> None:
    for name in ("interval", "refuse", "decision"):
        rules[f"{name}_ns"] = round(getattr(params, f"{name}_s") * 1e9)
    rules["tree"] = _TREES[params.hierarchy]


def _groups(world: World, queues: int) -> tuple[Records, Records]:
    """Return frameworks and groups of alike tasks; set each task's `kind` to its group."""
    queue = world.job["queue"][world.task["job"]].astype(np.int64)
    rows, kind = np.unique(np.column_stack([queue, world.task["demand"]]), axis=0, return_inverse=True)
    world.task["kind"] = kind.ravel()
    group = records(max(len(rows), 1), GROUP)
    group["head"] = group["tail"] = NOBODY
    if len(rows):
        group["demand"] = rows[:, 1]
    framework = records(queues, FRAMEWORK)
    framework["first"] = framework["last"] = NOBODY
    framework["first_group"] = np.searchsorted(rows[:, 0], np.arange(queues))
    framework["groups"] = np.bincount(rows[:, 0], minlength=queues)
    return framework, group
