"""Say why a task waits or runs at a moment, whatever the scheduler's own log holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scheduler_core.engine.records import TASK_ASKED, TASK_FUTURE, TASK_RUNNING, TASK_UNSCHEDULABLE, TASK_WAITING
from scheduler_core.explanation.ruled_out import machines, ruled_out
from scheduler_core.run.telling import duration, instant

if TYPE_CHECKING:
    from scheduler_core.run.driver import Simulation

PARTS = {
    "framework_queuing": "framework_ns",
    "processing": "processing_ns",
    "communication": "communication_ns",
    "worker_queuing": "worker_ns",
}
"""The four parts of a delay and their columns."""


def standing(simulation: Simulation, task: int, decisions: list[dict[str, Any]]) -> dict[str, Any]:
    """Return {answer, delay_s, ruled_out, stopped} of a task; `decisions` are those about the task.

    These are a short answer, the parts of the task's delay so far, the machines that do not take it now, and the times
    at which it lost a machine.
    """
    row = simulation.world.task[task]
    waits = row.state in (TASK_WAITING, TASK_ASKED)
    groups = ruled_out(simulation, task) if waits else []
    stops = [one for one in decisions if one["stops"]]
    return {
        "answer": _answer(simulation, task, decisions, groups, stops),
        "delay_s": {name: part_ns / 1e9 for name, part_ns in _delay_ns(simulation, task).items()},
        "ruled_out": groups,
        "stopped_s": [one["t_s"] for one in stops],
    }


def _delay_ns(simulation: Simulation, task: int) -> dict[str, int]:
    """Return the parts of a task's delay until its first start, or until now, ns.

    Uncharged time goes to the task's present part. A request travels for one message's delay,
    then it waits at a master.
    """
    row = simulation.world.task[task]
    parts = {name: int(row[column]) for name, column in PARTS.items()}
    if row.attempts > 0 or row.state not in (TASK_WAITING, TASK_ASKED):
        return parts
    rest_ns = simulation.now_ns - int(simulation.world.job[row.job].arrival_ns) - sum(parts.values())
    if row.state == TASK_ASKED:
        if rest_ns < 0:  # a master pays for its work when it begins with it
            parts["processing"] += rest_ns
        message_ns = int(simulation.state.rules[0].delay_ns)
        parts["communication"] += max(0, min(rest_ns, message_ns))
        rest_ns -= message_ns
    at_worker = any(layer.role == "backlog" for layer in simulation.spec.layers)
    parts["worker_queuing" if at_worker else "framework_queuing"] += max(0, rest_ns)
    return parts


def _answer(
    simulation: Simulation,
    task: int,
    decisions: list[dict[str, Any]],
    groups: list[dict[str, Any]],
    stops: list[dict[str, Any]],
) -> str:
    row = simulation.world.task[task]
    last = decisions[-1]["sentence"] if decisions else ""
    lost = f" Before that, at {instant(stops[-1]['t_s'])}: {stops[-1]['sentence']}" if stops else ""
    if row.state == TASK_FUTURE:
        return f"The task's job arrives at {instant(simulation.world.job[row.job].arrival_ns / 1e9)}."
    if row.state == TASK_UNSCHEDULABLE:
        never = last or ("No machine of this datacenter is large enough for the task, even when empty.")
        dropped = simulation.dropped is not None and bool(simulation.dropped[task])
        return f"{never} The task is dropped, and its job continues." if dropped else never
    if row.state == TASK_WAITING:
        return _waiting(simulation, task, decisions, groups, stops) + lost
    if row.state == TASK_ASKED:
        return f"A request for the task is on its way. {last}".rstrip() + lost
    placed = [one["sentence"] for one in decisions if one["machine"] is not None and not one["stops"]]
    verb = "runs" if row.state == TASK_RUNNING else "ran"
    start = f"The task {verb} on machine {row.machine:,} from {instant(row.last_start_ns / 1e9)}"
    ended = "" if row.state == TASK_RUNNING else f" and ended at {instant(row.end_ns / 1e9)}"
    return f"{start}{ended}. {placed[-1] if placed else last}".rstrip() + lost


def _waiting(
    simulation: Simulation,
    task: int,
    decisions: list[dict[str, Any]],
    groups: list[dict[str, Any]],
    stops: list[dict[str, Any]],
) -> str:
    """Return how long, why by its scheduler if that says so now, and how many machines could take it."""
    row = simulation.world.task[task]
    since_s = stops[-1]["t_s"] if stops else int(simulation.world.job[row.job].arrival_ns) / 1e9
    waited_s = simulation.now_ns / 1e9 - since_s
    again = " again" if stops else ""
    waited = (
        f"The task has waited for {duration(waited_s)}{again}."
        if waited_s > 1e-9
        else f"The task starts to wait{again}."
    )
    # Where a task stands in the queue of a worker, the last decision is the cause of its wait.
    at_worker = simulation.spec.kin.last_decision_holds and not stops
    holds = decisions and (decisions[-1]["now"] or at_worker)
    own = decisions[-1]["sentence"] if holds else ""
    counts = {group["why"]: group["machines"] for group in groups}
    room = counts.pop("room", 0)
    total = sum(counts.values()) + room
    if room:
        said = f"{machines(room)} of {total:,} would have room for the task now: {simulation.spec.kin.unused}."
    else:
        words = {
            "too_small": "too small", "constraint": "without its constraints", "offline": "out of service",
            "busy": "busy",
        }  # fmt: skip
        parts = ", ".join(f"{count:,} {words[name]}" for name, count in counts.items())
        said = f"None of {machines(total)} has room for the task now: {parts}."
    return " ".join(part for part in (waited, own, said) if part)
