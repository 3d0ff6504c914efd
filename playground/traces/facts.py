"""What a trace is like, and a synthetic workload that resembles it: told by its row, or found out by a worker."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from playground.errors import PlaygroundError, not_found, problem
from playground.ground.simulator import problems_in, resolve_trace, web_limits
from playground.models import Trace
from playground.storage import connections
from playground.traces import service as traces
from playground.traces.reading import facts_of
from scheduler_core import ExperimentError, fit_trace, read_trace, trace_statistics

FACTS_TASK = "playground.tasks.trace_facts_task"
FIT_TASK = "playground.tasks.fit_trace_task"
LONGEST_CUTOFF_S = 100_000_000.0
_CUTOFF_S = 100.0
_KEPT_S = 3600


def trace_of(*, trace_id: str) -> dict[str, Any]:
    """Return a trace with what reading it told. Raises PlaygroundError."""
    for known in traces.in_folders():
        if known["id"] == trace_id:
            return {**known, "notes": []}
    trace = Trace.objects.filter(public_id=trace_id).first()
    if trace is None:
        raise not_found("trace")
    return traces.trace_payload(trace) | traces.report_of(trace)


def statistics_of(*, trace_id: str) -> dict[str, Any]:
    """Return counts, distributions, burstiness and what runs over time. Raises PlaygroundError."""
    trace = Trace.objects.filter(public_id=trace_id).first()
    if trace is not None and "statistics" in trace.details:
        return dict(trace.details["statistics"])
    return _asked(FACTS_TASK, trace_id, [], "The trace was not read")


def fit_of(*, trace_id: str, asked: dict[str, Any]) -> dict[str, Any]:
    """Return a synthetic workload fitted to a trace, and statistics of the trace and of a draw of the fit."""
    cutoff = asked.get("cutoff_s", _CUTOFF_S)
    is_number = isinstance(cutoff, int | float) and not isinstance(cutoff, bool)
    if not set(asked) <= {"cutoff_s"} or not is_number or not 0 < cutoff <= LONGEST_CUTOFF_S:
        allowed = f'nothing, or {{"cutoff_s": ...}} with a number above 0 and at most {LONGEST_CUTOFF_S:,.0f}'
        item = problem("cutoff_s", "is no number of seconds that a job could take", allowed=allowed)
        raise PlaygroundError(422, "invalid-fit", "There is no fit for this", (item,))
    return _asked(FIT_TASK, trace_id, [float(cutoff)], "The trace was not fitted")


def _asked(task: str, trace_id: str, further: list[Any], title: str) -> dict[str, Any]:
    """Ask a worker, once for all who ask about the same file."""
    try:
        path = resolve_trace(trace_id)
        stat = path.stat()
    except (LookupError, OSError):
        raise not_found("trace") from None
    named = json.dumps([task, str(path), stat.st_size, stat.st_mtime_ns, *further])
    key = f"trace-facts:{hashlib.sha256(named.encode()).hexdigest()}"
    if isinstance(kept := connections.client().get(key), bytes):
        return dict(json.loads(kept))
    answer = traces.ask_worker(task, [trace_id, *further], title)
    connections.client().set(key, json.dumps(answer), ex=_KEPT_S)
    return answer


def measure_trace(*, trace_id: str) -> dict[str, Any]:
    """Measure a trace (in a worker), or return its problems."""
    try:
        return dict(facts_of(read_trace(resolve_trace(trace_id), None, web_limits()), "")["details"]["statistics"])
    except ExperimentError as error:
        return {"problems": problems_in(error)}


def fit_stored_trace(*, trace_id: str, cutoff_s: float) -> dict[str, Any]:
    """Fit a workload to a trace and draw it (in a worker), or return the problems."""
    try:
        work = read_trace(resolve_trace(trace_id), None, web_limits())
        return {**fit_trace(work, cutoff_s, limits=web_limits()), "trace": trace_statistics(work, cutoff_s)}
    except ExperimentError as error:
        return {"problems": problems_in(error)}
