"""Word decision rows as sentences with the templates that a scheduler declares."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scheduler_core.run.telling import arguments, sentence
from scheduler_core.world.spec import Reason

if TYPE_CHECKING:
    from scheduler_core.run.driver import Simulation


def sentences(simulation: Simulation, task: int) -> list[dict[str, Any]]:
    """Return the decisions about one task in order: time, reason, sentence, and the edits that could change them.

    `stops`: the task lost its machine by the decision. `now`: the decision holds the task at this moment.
    """
    reasons = {reason.code: reason for reason in simulation.spec.reasons}
    log = simulation.decisions()
    rows = [{name: int(row[name]) for name in row.dtype.names} for row in log[log["task"] == task]]
    waiting = simulation.why_waiting(task)
    if waiting is not None and rows and rows[-1]["reason"] == waiting["reason"]:
        rows[-1] |= waiting  # the present state says more than the earlier note
    elif waiting is not None:
        nothing = {"task": task, "machine": -1, "frm": -1, "to": -1, "count": 1, "x": 0, "y": 0}
        rows.append({"t_ns": simulation.now_ns, **nothing, **waiting})
    told = [_told(simulation, reasons[row["reason"]], row) for row in rows]
    if waiting is not None and told:
        told[-1]["now"] = True
    return told


def told_row(simulation: Simulation, row: dict[str, Any]) -> dict[str, Any]:
    """Return one row of the decision log in the form of `sentences`."""
    return _told(simulation, next(one for one in simulation.spec.reasons if one.code == row["reason"]), row)


def _told(simulation: Simulation, reason: Reason, row: dict[str, Any]) -> dict[str, Any]:
    machine = row["machine"]
    cluster = simulation.cluster.cluster_names[int(simulation.cluster.cluster_of[machine])] if machine >= 0 else ""
    return {
        "t_s": row["t_ns"] / 1e9,
        "reason": reason.name,
        "sentence": sentence(reason, row, cluster, simulation.names),
        "arguments": arguments(reason, row, cluster, simulation.names),
        "times": row["count"],
        "edits": list(reason.edits),
        "machine": machine if machine >= 0 else None,
        "stops": any(mark.stops for mark in simulation.spec.marks if mark.kind == reason.mark),
        "now": False,
    }
