"""The statistics of a trace: stored with its row at the import, or else measured by a worker."""

from __future__ import annotations

from typing import Any

from asgiref.sync import sync_to_async

from playground.ground.simulator import resolve_trace, uploaded_trace, web_limits
from playground.questions.answering import Asking
from playground.questions.asking import Told, ask, wait_for_answer
from playground.questions.kinds import Kind
from playground.traces.checking import WAIT_S
from playground.traces.facts import state_of_file
from playground.traces.reading import facts_of, share_read
from scheduler_core import Reading, read_trace, watched


async def statistics_of(*, trace_id: str) -> dict[str, Any]:
    """Return counts, distributions, burstiness and what runs over time; no thread waits. Raises PlaygroundError."""
    known = await sync_to_async(_known)(trace_id)
    if known is not None:
        return known
    told = await sync_to_async(_ask)(trace_id)
    wrong, busy = "The trace cannot be used", "The trace was not read"
    return await wait_for_answer(told, WAIT_S, kind="invalid-trace", title=wrong, busy=busy)


def _known(trace_id: str) -> dict[str, Any] | None:
    """Return the statistics that reading an upload told."""
    trace = uploaded_trace(trace_id)
    known = None if trace is None else trace.details.get("statistics")
    if known is None:
        return None
    running = known.get("over_time", {}).get("running")
    if "at_once" in known or not running:
        return dict(known)
    # An earlier version divided by the span of arrivals alone: the picture beside the number has the mean.
    return {**known, "mean_concurrency": sum(running) / len(running)}


def _ask(trace_id: str) -> Told:
    """Ask a worker to measure a trace, once for all who ask about the same file."""
    return ask(KIND, trace_id, dict(state_of_file(trace_id)))


def measure_trace(*, trace_id: str) -> dict[str, Any]:
    """Read a trace and measure it. Raises ExperimentError."""
    return dict(facts_of(read_trace(resolve_trace(trace_id), None, web_limits()), "")["details"]["statistics"])


def _answer(asking: Asking) -> dict[str, Any]:
    def on_reading(reading: Reading) -> None:
        asking.look(share_read(reading))

    with watched(on_reading):
        return measure_trace(trace_id=asking.key)


KIND = Kind("trace-statistics", _answer, about_run=False, limit_s=80, kept_s=3600, too_long="cut the trace")
