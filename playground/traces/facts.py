"""The known facts of a trace: from its row, and from its file as it is now."""

from __future__ import annotations

from typing import Any

from playground.errors import not_found
from playground.ground.simulator import resolve_trace, uploaded_trace
from playground.traces import service as traces


def trace_of(*, trace_id: str) -> dict[str, Any]:
    """Return a trace with what reading it told. Raises PlaygroundError."""
    for known in traces.in_folders():
        if known["id"] == trace_id:
            return {**known, "notes": [], "cluster": None}
    trace = uploaded_trace(trace_id)
    if trace is None:
        raise not_found("trace")
    return traces.trace_payload(trace) | traces.report_of(trace)


def state_of_file(trace_id: str) -> dict[str, int]:
    """Return what tells a file from the one that lay there before. Raises PlaygroundError."""
    try:
        if (trace := uploaded_trace(trace_id)) is not None:
            # An upload never changes; its file may lie on another machine.
            return {"bytes": trace.file.size, "changed_ns": round(trace.created_at.timestamp() * 1e9)}
        stat = resolve_trace(trace_id).stat()
    except (LookupError, OSError):
        raise not_found("trace") from None
    return {"bytes": stat.st_size, "changed_ns": stat.st_mtime_ns}
