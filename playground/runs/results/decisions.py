"""The decision log of a run: the last rows of some reasons or of one machine, up to an instant.

Of a finished run they are read from its recording; of one that is computed its worker tells them, between two slices.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from playground.errors import PlaygroundError, problem
from playground.models import Run, RunState
from playground.questions import answering, asking
from playground.questions.asking import Told
from playground.questions.kinds import Kind
from playground.runs.results.files import open_recording
from scheduler_core import RecordingReader, scheduler_by_name

if TYPE_CHECKING:
    from scheduler_core import Simulation

MOST_ROWS = 200
_WAIT_S = 1.0  # a worker listens ten times as often, unless a slice takes long
#: The same question within two seconds gets the same answer.
KIND = Kind("decisions", place="run", waits_s=10, kept_s=2)


def ask_for_decisions(
    *,
    run: Run,
    reasons: Sequence[str],
    until_s: float | None,
    count: int,
    machine: int | None = None,
    after_s: float | None = None,
) -> Told | None:
    """Ask the worker that computes a run for its decisions so far; None for a run that is not computed.

    They are the last `count` rows, latest first, or with `after_s` the first ones after it, earliest first. Raises
    PlaygroundError for a reason that its scheduler does not give.
    """
    if run.state != RunState.RUNNING:
        return None
    codes = {one.name: one.code for one in scheduler_by_name(run.experiment.data["scheduler"]["name"]).reasons}
    _refuse_unknown(reasons, codes)
    chosen = {"reasons": list(reasons), "until_s": until_s, "count": count, "machine": machine, "after_s": after_s}
    return asking.ask(KIND, run.public_id, chosen)


async def wait_for_decisions(told: Told) -> dict[str, Any] | None:
    """Return the worker's answer; None when it gives none for a while."""
    return (await asking.wait(told, _WAIT_S)).answer


def recorded_decisions(
    *,
    run: Run,
    reasons: Sequence[str],
    until_s: float | None,
    count: int,
    machine: int | None = None,
    after_s: float | None = None,
) -> dict[str, Any]:
    """Return such rows as the recording of a finished run keeps them. Raises PlaygroundError."""
    with open_recording(run=run) as file:
        reader = RecordingReader(file)  # type: ignore[arg-type]
        codes = {one["name"]: one["code"] for one in reader.meta["reasons"]}
        _refuse_unknown(reasons, codes)
        table = reader.decisions()
        log = {name: table.column(name).to_numpy() for name in table.column_names}
    return _pick(log, codes, reasons=reasons, until_s=until_s, count=count, machine=machine, after_s=after_s)


def answer_questions(*, run_id: str, simulation: Simulation) -> None:
    """Answer requests for the decisions so far of a run that this worker computes."""

    def find(chosen: dict[str, Any]) -> dict[str, Any]:
        codes = {one.name: one.code for one in simulation.spec.reasons}
        return _pick(simulation.decisions_so_far(), codes, **chosen)

    answering.answer_inbox(run_id=run_id, kind=KIND, find=find)


def _refuse_unknown(reasons: Sequence[str], codes: Mapping[str, int]) -> None:
    unknown = [name for name in reasons if name not in codes]
    if unknown:
        item = problem("reason", f"its scheduler gives no reason '{unknown[0]}'", allowed=", ".join(codes))
        raise PlaygroundError(422, "invalid-request", "The request cannot be understood", (item,))


def _pick(
    log: Any,
    codes: Mapping[str, int],
    *,
    reasons: Sequence[str],
    until_s: float | None,
    count: int,
    machine: int | None,
    after_s: float | None,
) -> dict[str, Any]:
    """Select decisions from `log`, which gives the columns of the decision log by name."""
    chosen = np.isin(log["reason"], [codes[name] for name in reasons]) if reasons else np.ones(len(log["t_ns"]), bool)
    if machine is not None:
        chosen &= log["machine"] == machine
    if until_s is not None:
        chosen &= log["t_ns"] <= round(until_s * 1e9)
    if after_s is not None:
        chosen &= log["t_ns"] > round(after_s * 1e9)
    places, names = np.flatnonzero(chosen), {code: name for name, code in codes.items()}
    rows = [
        {"t_s": int(log["t_ns"][at]) / 1e9, "reason": names[int(log["reason"][at])],
         **{name: int(log[name][at]) for name in ("task", "machine", "count", "x", "y")}}
        for at in (places[-count:][::-1] if after_s is None else places[:count])
    ]  # fmt: skip
    return {"total": len(places), "rows": rows}
