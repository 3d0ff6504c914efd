"""Fit a synthetic workload to a trace in a worker."""

from __future__ import annotations

from typing import Any

from asgiref.sync import sync_to_async

from playground.errors import PlaygroundError, problem
from playground.ground.simulator import resolve_trace, web_limits
from playground.questions.answering import Asking
from playground.questions.asking import Told, ask, wait_for_answer
from playground.questions.kinds import Kind
from playground.traces.checking import WAIT_S
from playground.traces.facts import state_of_file
from playground.traces.reading import share_read
from scheduler_core import Reading, read_trace, watched

LONGEST_CUTOFF_S = 100_000_000.0
_CUTOFF_S = 100.0


async def fit_of(*, trace_id: str, asked: dict[str, Any]) -> dict[str, Any]:
    """Return a workload fitted to a trace, and statistics of the trace and of a draw of the fit; no thread waits.

    Raises PlaygroundError.
    """
    told = await sync_to_async(_ask)(trace_id, asked)
    wrong, busy = "The trace cannot be used", "The trace was not fitted"
    return await wait_for_answer(told, WAIT_S, kind="invalid-trace", title=wrong, busy=busy)


def _ask(trace_id: str, asked: dict[str, Any]) -> Told:
    cutoff = asked.get("cutoff_s", _CUTOFF_S)
    is_number = isinstance(cutoff, int | float) and not isinstance(cutoff, bool)
    if not set(asked) <= {"cutoff_s"} or not is_number or not 0 < cutoff <= LONGEST_CUTOFF_S:
        allowed = f'nothing, or {{"cutoff_s": ...}} with a number above 0 and at most {LONGEST_CUTOFF_S:,.0f}'
        item = problem("cutoff_s", "is not a possible job duration in seconds", allowed=allowed)
        raise PlaygroundError(422, "invalid-fit", "There is no fit for this", (item,))
    return ask(KIND, trace_id, {**state_of_file(trace_id), "cutoff_s": float(cutoff)})


def _answer(asking: Asking) -> dict[str, Any]:
    def on_reading(reading: Reading) -> None:
        asking.look(share_read(reading))

    cutoff_s, limits = asking.args["cutoff_s"], web_limits()
    # Compiled code, which only workers load.
    from scheduler_core import fit_trace, trace_statistics

    with watched(on_reading):
        work = read_trace(resolve_trace(asking.key), None, limits)
    return {**fit_trace(work, cutoff_s, limits=limits), "trace": trace_statistics(work, cutoff_s)}


KIND = Kind("trace-fit", _answer, about_run=False, limit_s=80, kept_s=3600, too_long="cut the trace")
