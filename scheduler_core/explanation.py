"""Decision rows as sentences, by the templates that a scheduler declares."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scheduler_core.schedulers.spec import Reason

if TYPE_CHECKING:
    from scheduler_core.engine.driver import Simulation


def duration(seconds: float) -> str:
    """A time with three significant digits in the unit that fits: s, ms, µs."""
    for unit, scale in (("s", 1.0), ("ms", 1e3), ("µs", 1e6)):
        if abs(seconds) * scale >= 1 or unit == "µs":
            return f"{float(f'{seconds * scale:.3g}'):,g} {unit}"
    raise AssertionError("unreachable")


def sentence(reason: Reason, row: dict[str, Any], cluster_name: str) -> str:
    """Fill a reason's template from a row: machine, frm, to, x, y, count, x_s and y_s as times, cluster."""
    values: dict[str, str] = {name: f"{value:,}" for name, value in row.items()}
    values |= {f"{name}_s": duration(row[name] / 1e9) for name in ("x", "y") if name in row}
    return reason.template.format(**values, cluster=cluster_name)


def sentences(simulation: Simulation, task: int) -> list[dict[str, Any]]:
    """Tell the decisions about one task in order: time, reason, sentence, the edits that could change it."""
    reasons = {reason.code: reason for reason in simulation.spec.reasons}
    log = simulation.decisions()
    rows = [{name: int(row[name]) for name in row.dtype.names} for row in log[log["task"] == task]]
    waiting = simulation.why_waiting(task)
    if waiting is not None and not (rows and rows[-1]["reason"] == waiting["reason"]):
        nothing = {"machine": -1, "frm": -1, "to": -1, "count": 1, "x": 0, "y": 0}
        rows.append({"t_ns": simulation.now_ns, **nothing, **waiting})
    return [_told(simulation, reasons[row["reason"]], row) for row in rows]


def _told(simulation: Simulation, reason: Reason, row: dict[str, Any]) -> dict[str, Any]:
    machine = row["machine"]
    cluster = simulation.cluster.cluster_names[int(simulation.cluster.cluster_of[machine])] if machine >= 0 else ""
    return {
        "t_s": row["t_ns"] / 1e9,
        "reason": reason.name,
        "sentence": sentence(reason, row, cluster),
        "times": row["count"],
        "edits": list(reason.edits),
    }
