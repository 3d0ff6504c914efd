"""kube-scheduler's interface to the driver: packing, counters, series, and upstream's message."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from scheduler_core.engine.events import EVENT_HEADROOM
from scheduler_core.engine.records import NOBODY, TASK_WAITING, World, records
from scheduler_core.experiment import Experiment
from scheduler_core.kube import examine as ask
from scheduler_core.kube.build import build_model, resource_names
from scheduler_core.kube.model import LEAST_ALLOCATED, MOST_ALLOCATED, REQUESTED_TO_CAPACITY
from scheduler_core.kube.spec import Profile
from scheduler_core.kube.texts import message
from scheduler_core.schedulers.kubernetes import kernel
from scheduler_core.schedulers.kubernetes.imported import is_imported, start_pods
from scheduler_core.schedulers.kubernetes.objects import objects_of
from scheduler_core.schedulers.kubernetes.params import WEIGHTS, points_of, weights_of
from scheduler_core.schedulers.kubernetes.reasons import IN_QUEUE, NO_NODE
from scheduler_core.schedulers.kubernetes.state import (
    MEMO,
    QUEUED,
    RULES,
    STANDING,
    UNSCHEDULABLE_PODS,
    KubernetesState,
    Own,
    parts,
)
from scheduler_core.schedulers.shared.pacing.packing import pack_pace
from scheduler_core.world.planned import settings_by_name
from scheduler_core.world.protocol import DefaultProtocol
from scheduler_core.world.start import Start

_STRATEGIES = {
    "LeastAllocated": LEAST_ALLOCATED,
    "MostAllocated": MOST_ALLOCATED,
    "RequestedToCapacityRatio": REQUESTED_TO_CAPACITY,
}
_COUNTED = {"machines_looked_at": "looked", "machines_scored": "scored"}


class KubernetesProtocol(DefaultProtocol):
    """See scheduler_core.world.protocol.Protocol."""

    loop = kernel

    def event_room(self, experiment: Experiment, params: Any, largest_job: int) -> int:
        return EVENT_HEADROOM

    def pack(self, start: Start[Any]) -> Any:
        world, params = start.world, start.given
        objects, classes, priority = objects_of(start)
        tasks = len(world.task)
        model = build_model(objects, profile_of(params), tasks, classes=classes)
        model.pod["priority"][:tasks] = priority
        levels, level = np.unique(priority, return_inverse=True)
        queued = records(max(tasks, 1), QUEUED)
        queued["level"][:tasks] = level.ravel()
        pace = pack_pace(start.experiment, world, params)
        rules = records(1, RULES)
        rules["delay_ns"] = round(start.experiment.network.message_delay_s * 1e9)
        rules["task"] = rules["machine"] = NOBODY
        fill(rules, params)
        own = Own(
            rules=rules, setting=settings_by_name(start, RULES, fill), queued=queued,
            queue=np.zeros((4, max(tasks, 1)), np.int32), memo=records(len(model.klass), MEMO),
            freed=np.zeros(len(world.machine), np.int32), running=np.zeros(max(len(levels), 1), np.int64),
            names=np.frombuffer(json.dumps(resource_names(objects)).encode(), np.uint8).copy(),
            **pace._asdict(),
        )  # fmt: skip
        if start.standing is not None:
            rules["phase"], rules["end"] = STANDING, start.standing.running
        if is_imported(start.standing):
            start_pods(start, model, [node["name"] for node in objects.nodes])
        return KubernetesState._make((*own, *model))

    def advance(self, world: World, state: Any, until_ns: int, max_events: int) -> int:
        return int(kernel.advance(world, *parts(state), until_ns, max_events))

    def counters(self, world: World, state: Any) -> dict[str, int]:
        rules, pace = state.rules[0], state.pace[0]
        names = rules.dtype.names or ()
        found = {}
        for counter in self.spec.counters:
            column = _COUNTED.get(counter.name, counter.name)
            found[counter.name] = int(rules[column] if column in names else pace[column])
        return found

    def series(self, world: World, state: Any) -> dict[str, float]:
        sizes = state.rules[0].waiting
        return {
            "decision_ms": state.rules[0].last_ns / 1e6,
            "unschedulable_pods": float(sizes[UNSCHEDULABLE_PODS]),
        }

    def why_waiting(self, world: World, state: Any, task: int) -> dict[str, Any] | None:
        row = state.queued[task]
        if world.task[task].state != TASK_WAITING:
            return None
        if row.where != UNSCHEDULABLE_PODS:
            return {"reason": IN_QUEUE}
        return {"reason": NO_NODE, "x": int(row.attempts), "told": f": {self._message(state, task)}"}

    def inspect(self, world: World, state: Any) -> dict[str, Any]:
        rules = state.rules[0]
        active, backoff, unschedulable = (int(size) for size in rules.waiting[1:4])
        return {
            "decisions": int(rules.decisions),
            "decision_ms": float(rules.last_ns / 1e6),
            "active_pods": active,
            "backing_off_pods": backoff,
            "unschedulable_pods": unschedulable,
        }

    @staticmethod
    def _message(state: Any, task: int) -> str:
        """Return upstream's message about a pod that fits nowhere now; the run stays as it is."""
        _, model = parts(state)
        before = model.settings.copy()
        ask.examine(model, ask.FIND, task, len(model.node))
        verdicts = model.verdict.tolist()
        model.settings[:] = before
        return message(verdicts, json.loads(state.names.tobytes()))


def profile_of(params: dict[str, Any]) -> Profile:
    """Return the scheduler's configuration from the parameters."""
    return Profile(
        weights=[params[name] for name in WEIGHTS],
        strategy=_STRATEGIES[params["scoring_strategy"]],
        resources=weights_of(params["resource_weights"]),
        shape=points_of(params["shape"]),
        percentage=params["percentage"],
    )


def fill(rules: Any, params: dict[str, Any]) -> None:
    """Write the parameters into a row of RULES."""
    modelled = params["decision_time"] == "modelled"
    rules["decision_ns"] = params["decision_us"] * 1e3 if modelled else 0.0
    rules["filter_ns"] = params["filter_ns"] if modelled else 0.0
    rules["score_ns"] = params["score_ns"] if modelled else 0.0
    rules["preempts"] = params["preemption"]
    rules["grace_ns"] = round(params["grace_s"] * 1e9)
    rules["first_backoff_ns"] = round(params["backoff_s"] * 1e9)
    rules["most_backoff_ns"] = round(params["max_backoff_s"] * 1e9)
    rules["weight"][:] = [params[name] for name in WEIGHTS]
    rules["strategy"], rules["percentage"] = _STRATEGIES[params["scoring_strategy"]], params["percentage"]
