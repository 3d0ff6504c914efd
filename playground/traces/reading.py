"""Read a trace through in a worker, with a column mapping, further tables, or a cut, and convert it."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import asdict
from pathlib import Path
from typing import Any

from playground.ground.simulator import web_limits
from playground.traces.clusters_apart import too_large
from scheduler_core import (
    Beside,
    ExperimentError,
    Problem,
    RawWork,
    Reading,
    cut_work,
    import_served,
    is_cluster_export,
    parse_columns,
    parse_cut,
    read_trace,
    recognize_trace,
    served_facts,
    write_trace,
)

#: What a request may ask of a reading, beside the file itself.
ASKED = ("format", "columns", "cut", "constraints", "machine_attributes")
_MOST_KINDS = 50
#: In JSON: what stays (a backslash, a whole pair), or what has to go.
_UNSTORABLE = re.compile(r"(\\\\|\\ud[89ab]..\\ud[c-f]..)|\\u0000|\\ud[89a-f]..")
CLUSTER = "cluster"


def convert(source: Path, target: Path, asked: dict[str, Any]) -> dict[str, Any]:
    """Write a source, or the part of it that is asked for, as a columnar file; return what its row says.

    `asked` has the keys of ASKED; the last two are paths. Raises ExperimentError.
    """
    return _storable(_converted(source, target, asked))


def _storable(found: dict[str, Any]) -> dict[str, Any]:
    """Replace characters that a database does not store: NUL and halves of surrogate pairs. Raises ExperimentError."""
    try:
        clean = _UNSTORABLE.sub(lambda match: match[1] or "\\ufffd", json.dumps(found))
        kept: dict[str, Any] = json.loads(clean)
    except RecursionError:
        raise ExperimentError([Problem("", "is nested too deeply", "a file of import-cluster")]) from None
    return kept


def _converted(source: Path, target: Path, asked: dict[str, Any]) -> dict[str, Any]:
    if columns_unknown(asked) and is_cluster_export(source):
        try:
            import_served(source, target, web_limits())
        except OverflowError:
            raise ExperimentError([too_large()]) from None
        return _cluster(target, target)
    columns, cut = asked.get("columns"), asked.get("cut")
    beside = Beside(
        columns=None if columns is None else parse_columns(columns),
        constraints=asked.get("constraints"),
        machine_attributes=asked.get("machine_attributes"),
    )
    name = asked.get("format") or ("table" if columns is not None else recognize_trace(source).name)
    if name == CLUSTER:
        if cut is not None:
            told = "is given, and the tasks of a cluster run on its machines"
            raise ExperimentError(
                [Problem("cut", told, "a trace of jobs that arrive", "import the cluster as a whole")]
            )
        return _cluster(source, target)
    work = read_trace(source, name, web_limits(), beside=beside)
    if cut is not None:
        work = cut_work(work, parse_cut(cut))
    write_trace(work, target)
    return facts_of(work, name)


def columns_unknown(asked: dict[str, Any]) -> bool:
    """Return True if a request leaves it to the file what it is."""
    return not any(asked.get(name) for name in ASKED)


def _cluster(source: Path, target: Path) -> dict[str, Any]:
    """Read a cluster file through and keep it as it is: its machines and pods do not fit into the columnar file."""
    work = read_trace(source, CLUSTER, web_limits())
    if source != target:
        shutil.copyfile(source, target)
    facts = facts_of(work, CLUSTER)
    facts["details"]["cluster"] = served_facts(target)
    return facts


def _queues(work: RawWork) -> tuple[list[str], list[str]]:
    """Return the queues that jobs name, as an experiment can name them, and a note if it cannot."""
    if work.queue is None or bool((work.queue < 0).any()):
        return [], []
    names = [work.queue_names[place] for place in sorted(set(work.queue.tolist()))]
    most = web_limits().queues
    if len(names) > most:
        return [], [f"The queues of the trace are not used: {len(names):,} are more than {most:,}."]
    odd = [name for name in names if not (len(name) <= 64 and name.isprintable() and name.strip() == name != "")]
    if odd:
        return [], [
            f"The queues of the trace are not used: {odd[0][:64]!r} is no name of 1 to 64 printable characters."
        ]
    return names, []


def share_read(reading: Reading) -> float:
    """Return how much of a file has been read, 0 to 1."""
    return reading.position / max(reading.size, 1)


def facts_of(work: RawWork, name: str) -> dict[str, Any]:
    """Return what a trace's row says of it."""
    from scheduler_core import trace_statistics  # compiled code, which only workers load

    statistics = trace_statistics(work)
    queues, unused = _queues(work)
    return {
        "format": name,
        "jobs": len(work.tasks),
        "tasks": len(work.duration_ns),
        "span_s": statistics["span_s"],
        "work_s": statistics["work_s"],
        "details": {
            "left_out": [asdict(one) for one in work.left_out[:_MOST_KINDS]],
            "notes": [*work.notes[:_MOST_KINDS], *unused],
            "constraints": [asdict(one) for one in work.asked],
            "queues": queues,
            "statistics": statistics,
        },
    }
