"""Apollo's interface to the driver: packing, layers, counters and series."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.constraints.racks import ANYWHERE
from scheduler_core.engine.events import EVENT_HEADROOM, schedule
from scheduler_core.engine.incidents import look_for
from scheduler_core.engine.records import LISTS, NEVER, NOBODY, QUEUES, Records, World, records
from scheduler_core.experiment import Experiment
from scheduler_core.schedulers.probing.apollo import kernel as loop
from scheduler_core.schedulers.probing.apollo.params import ApolloParams
from scheduler_core.schedulers.probing.apollo.state import (
    APOLLO_JOB,
    APOLLO_TASK,
    BATCH,
    LEVELS,
    PLACE,
    PUBLISH,
    RULES,
    SERVER,
    WORKER,
    ApolloState,
)
from scheduler_core.schedulers.shared.probing.estimates import estimates_ns
from scheduler_core.schedulers.shared.probing.packing import eligible_machines, grow_probes, probing_groups
from scheduler_core.schedulers.shared.probing.state import LINK, PROBE_RECORD
from scheduler_core.world.protocol import DefaultProtocol
from scheduler_core.world.start import Start


class ApolloProtocol(DefaultProtocol):
    """See scheduler_core.world.protocol.Protocol."""

    loop = loop

    def event_room(self, experiment: Experiment, params: ApolloParams, largest_job: int) -> int:
        return EVENT_HEADROOM

    def pack(self, start: Start[ApolloParams]) -> ApolloState:
        experiment, params, world = start.experiment, start.params, start.world
        machines, tasks = len(world.machine), len(world.task)
        look_for(world, LISTS | QUEUES)
        group, order = _groups(experiment, params, world)
        eligible, listed = eligible_machines(world)
        worker, task, job = records(machines, WORKER), records(tasks, APOLLO_TASK), records(len(world.job), APOLLO_JOB)
        for table in (worker, job):
            table["first"] = table["last"] = NOBODY
        for column in ("server", "next", "previous"):
            task[column] = NOBODY
        state = ApolloState(
            rules=_rules(experiment, params), worker=worker, probe=records(0, PROBE_RECORD), link=records(1, LINK),
            group=group, order=order, eligible=eligible, listed=listed, sampled_for=np.zeros(machines, np.int32),
            server=_servers(machines, params), start_ns=np.zeros((machines, LEVELS * LEVELS), np.int64),
            room=np.zeros(world.free.shape[1], np.int64), ends_ns=np.zeros(tasks, np.int64),
            ends=np.zeros(tasks, np.int32), task=task, job=job, place=records(BATCH, PLACE),
            drawn=np.zeros((BATCH, params.choices), np.int32), slot=np.zeros((BATCH, params.choices), np.int32),
            waits_ns=np.zeros((BATCH, params.choices), np.int64), cost_ns=np.zeros((BATCH, params.choices), np.int64),
            promises=np.zeros(machines, np.int32),
        )  # fmt: skip
        schedule(world, int(state.rules[0].publish_ns), PUBLISH, 0, 0)
        return grow_probes(state, 2 * EVENT_HEADROOM + machines)

    def amounts(self, world: World, state: ApolloState, layer: str, machines: Any) -> Any:
        if layer == "queue":
            return state.worker["length"][machines]
        return state.server["spares"][machines] if layer == "opportunistic" else state.server["success"][machines] < 1

    def series(self, world: World, state: ApolloState) -> dict[str, float]:
        rules = state.rules[0]
        return {"regular_waiting": float(rules.waiting), "opportunistic_waiting": float(rules.spare)}

    def grow(self, world: World, state: ApolloState) -> ApolloState:
        """Double the pool of what stands in queues."""
        return grow_probes(state, 2 * len(state.probe))

    def inspect(self, world: World, state: ApolloState) -> dict[str, Any]:
        length = state.worker["length"]
        waits_s = np.maximum(state.start_ns - world.control[0].now_ns, 0) / 1e9
        return {
            "regular_waiting": int(length.sum()),
            "opportunistic_waiting": int(state.rules[0].spare),
            "longest_queue": int(length.max(initial=0)),
            "suspected_servers": int((state.server["success"] < 1).sum()),
            "published_wait_s": {
                "a_sixteenth": float(waits_s[:, LEVELS + 1].mean()),
                "a_quarter": float(waits_s[:, 3 * LEVELS + 3].mean()),
                "a_whole_server": float(waits_s[:, -1].mean()),
            },
        }


def _rules(experiment: Experiment, params: ApolloParams) -> Records:
    rules = records(1, RULES)
    rules["delay_ns"], rules["room"] = round(experiment.network.message_delay_s * 1e9), EVENT_HEADROOM
    rules["publish_ns"], rules["choices"] = round(params.publish_s * 1e9), params.choices
    rules["tokens"], rules["penalty_ns"] = params.tokens, round(params.penalty_s * 1e9)
    rules["correct_ns"] = round(params.correct_s * 1e9) if params.correction else NEVER
    return rules


def _groups(experiment: Experiment, params: ApolloParams, world: World) -> tuple[Records, npt.NDArray[np.int32]]:
    """Return groups of alike tasks with their estimates; write each task's group."""
    group, first_group, order = probing_groups(world, False, np.full(len(world.task), ANYWHERE, np.int64))
    estimate = estimates_ns(params, experiment.seed, world.job["mean_ns"])
    group["estimate_ns"] = np.repeat(estimate, np.diff(first_group))
    world.task["kind"][order] = np.repeat(np.arange(len(group)), group["end"] - group["next"])
    return group, order


def _servers(machines: int, params: ApolloParams) -> Records:
    """Return all idle; the last ones are suspected."""
    found = records(machines, SERVER)
    for column in ("running", "spare", "late"):
        found[column] = NOBODY
    found["next_ns"] = NEVER
    found["success"] = 1.0
    found["success"][machines - round(machines * params.suspected_percent / 100) :] = params.suspected_success
    return found
