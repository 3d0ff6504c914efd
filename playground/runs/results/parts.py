"""Facts from a finished run's files about one part: a task, job, machine, queue, Global Master or partition.

Nothing is simulated: the table of tasks and the decision log are read, so an answer takes a fraction of a second with
a million tasks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from playground.errors import PlaygroundError, problem
from playground.models import Run
from playground.runs.results.files import open_recording, open_tasks_table
from playground.web.reasons import filled, numbers
from playground.web.words import gettext, ngettext
from playground.web.words import gettext_lazy as _
from scheduler_core import RecordingReader, scheduler_by_name
from scheduler_core.run.names import Names
from scheduler_core.run.telling import arguments, duration, instant, sentence

EntityKind = Literal["task", "job", "machine", "queue", "owner", "partition", "cluster"]
MOST_ROWS = 200
MOST_SLOW = 1_000
_PARTS = ("framework_queuing", "processing", "communication", "worker_queuing")
_STOPS = ("preemption", "fault")
_FOREVER = np.iinfo(np.int64).max
_Columns = dict[str, npt.NDArray[np.int64]]


@dataclass(frozen=True)
class _Part:
    """A part of a run: which tasks are its own, and its machines where it has some (first, end)."""

    name: str
    mine: Any  # a filter of rows: pyarrow.compute.Expression
    machines: tuple[int, int] | None


def describe_part(
    *, run: Run, kind: EntityKind, number: int, owner: int | None, until_s: float | None, count: int
) -> dict[str, Any]:
    """Return the history of a part of a run up to an instant (None: its end). Raises PlaygroundError."""
    with open_recording(run=run) as file:
        reader = RecordingReader(file)  # type: ignore[arg-type]
        meta, table = reader.meta, reader.decisions()
    log = {name: table.column(name).to_numpy() for name in table.column_names}
    part = _part(meta, run.summary or {}, kind, number, owner)
    with open_tasks_table(run=run) as file:
        rows = _parquet().read_table(file, filters=part.mine)
    tasks: _Columns = {name: rows.column(name).to_numpy() for name in rows.column_names}
    until_ns = None if until_s is None else round(until_s * 1e9)
    events = _events(meta, tasks, log, part, kind, until_ns)
    figures = _figures(meta, tasks, log, part, until_ns)
    told = _task_sentence(tasks, until_ns) if kind == "task" else _sentence(part, figures)
    return {
        "kind": kind, "number": number, "name": part.name,
        "job": int(tasks["job"][0]) if kind == "task" else None,
        "sentence": told,
        **figures, "events": events[-count:], "events_total": len(events),
        "thinned": int(meta.get("decisions_thinned", 0)) > 0,
    }  # fmt: skip


def slowest_tasks(*, run: Run, percent: float) -> dict[str, Any]:
    """Return the tasks that waited at least the percentile, by start; the longest waits if there are too many."""
    with open_tasks_table(run=run) as file:
        rows = _parquet().read_table(file, columns=["arrival_ns", "first_start_ns"])
    arrival, start = (rows.column(name).to_numpy() for name in rows.column_names)
    at = np.flatnonzero(start >= 0)
    wait = (start - arrival)[at]
    if not len(at):
        return {"percent": percent, "wait_s": None, "total": 0, "tasks": []}
    least = np.sort(wait)[max(0, int(np.ceil(percent / 100 * len(wait))) - 1)]
    slow = at[wait >= least]
    longest = slow[np.argsort(arrival[slow] - start[slow], kind="stable")][:MOST_SLOW]
    return {
        "percent": percent, "wait_s": float(least / 1e9), "total": len(slow),
        "tasks": [
            {"task": int(task), "start_s": float(start[task] / 1e9),
             "wait_s": float((start[task] - arrival[task]) / 1e9)}
            for task in longest[np.argsort(start[longest], kind="stable")]
        ],
    }  # fmt: skip


def _part(meta: dict[str, Any], summary: dict[str, Any], kind: EntityKind, number: int, owner: int | None) -> _Part:
    clusters, queues = meta["clusters"], meta["queues"]
    most = {
        "task": summary["tasks"]["total"], "job": summary["jobs"]["total"], "machine": meta["machines"],
        "queue": len(queues), "owner": len(meta["owners"]), "partition": len(clusters), "cluster": len(clusters),
    }[kind]  # fmt: skip
    if number >= most:
        allowed = f"0 to {most - 1:,}" if most else f"this run has no {kind}"
        item = problem("number", f"there is no {kind} {number:,}", allowed=allowed)
        raise PlaygroundError(404, "not-found", f"There is no such {kind}", (item,))
    if kind in ("task", "job"):
        name = gettext("Task {task}", task=number) if kind == "task" else gettext("Job {job}", job=number)
        return _Part(name, _field(kind) == number, None)
    if kind == "queue":
        return _Part(gettext("Queue {name}", name=queues[number]["name"]), _field("queue") == number, None)
    if kind == "owner":
        own = [place for place, queue in enumerate(queues) if queue["owner"] == number]
        return _Part(meta["owners"][number], _field("queue").isin(own), None)
    first, end, name = _machines(meta, kind, number, owner)
    return _Part(name, (_field("machine") >= first) & (_field("machine") < end), (first, end))


def _parquet() -> Any:
    import pyarrow.parquet  # takes a tenth of a second, which the server's start need not wait for

    return pyarrow.parquet


def _field(name: str) -> Any:
    import pyarrow.compute

    return pyarrow.compute.field(name)


def _machines(meta: dict[str, Any], kind: EntityKind, number: int, owner: int | None) -> tuple[int, int, str]:
    if kind == "machine":
        return number, number + 1, gettext("Machine {machine}", machine=number)
    cluster = meta["clusters"][number]
    if kind == "cluster":
        name = gettext("Cluster {name}", name=cluster["name"])
        return cluster["first"], cluster["first"] + cluster["machines"], name
    for part in cluster["partitions"]:
        if part["owner"] == owner and owner is not None and owner < len(meta["owners"]):
            name = gettext("{owner}'s partition of {cluster}", owner=meta["owners"][owner], cluster=cluster["name"])
            return part["first"], part["first"] + part["machines"], name
    owners = len(meta["owners"])
    item = problem("owner", "has no partition there", allowed=f"0 to {owners - 1}" if owners else "no owner has one")
    raise PlaygroundError(404, "not-found", "There is no such partition", (item,))


def _figures(
    meta: dict[str, Any], chosen: _Columns, log: _Columns, part: _Part, until_ns: int | None
) -> dict[str, Any]:
    """Return counts at the instant, and the delay parts of the tasks that have started by then.

    Of machines: the tasks whose last start is there, so that what has started and is not done is what runs.
    """
    now = _FOREVER if until_ns is None else until_ns
    arrived = chosen["arrival_ns"] <= now
    start_ns = chosen["first_start_ns" if part.machines is None else "last_start_ns"]
    started = (start_ns >= 0) & (start_ns <= now)
    done = (chosen["end_ns"] >= 0) & (chosen["end_ns"] <= now)
    many = max(1, int(started.sum()))
    delay = np.sort((chosen["first_start_ns"] - chosen["arrival_ns"])[started])
    rank = [int(np.ceil(share * len(delay))) - 1 for share in (0.5, 0.99)] if len(delay) else []
    return {
        "tasks": {
            "total": len(chosen["task"]), "arrived": int(arrived.sum()), "started": int(started.sum()),
            "done": int(done.sum()), "stopped": _stopped(meta, chosen, log, part, now),
        },
        "delay_s": {part: float(chosen[f"{part}_ns"][started].sum() / many / 1e9) for part in _PARTS},
        "wait_s": {"p50": float(delay[rank[0]] / 1e9), "p99": float(delay[rank[1]] / 1e9)} if rank else None,
        "lost_s": float(chosen["lost_ns"].sum() / 1e9),
    }  # fmt: skip


def _stopped(meta: dict[str, Any], chosen: _Columns, log: _Columns, part: _Part, now: int) -> int:
    """Return how many tasks were stopped by then, of machines: there; as far as the log has kept it."""
    reasons = scheduler_by_name(meta["scheduler"]["name"]).reasons
    stops = np.isin(log["reason"], [reason.code for reason in reasons if reason.mark in _STOPS])
    rows = stops & (log["t_ns"] <= now) & _about(log, chosen, part)
    return len(np.unique(log["task"][rows]))


def _about(log: _Columns, tasks: _Columns, part: _Part) -> npt.NDArray[np.bool_]:
    """Return which decisions are about a part."""
    if part.machines is None:
        return np.isin(log["task"], tasks["task"])
    first, end = part.machines
    return (log["machine"] >= first) & (log["machine"] < end)


def _events(
    meta: dict[str, Any], tasks: _Columns, log: _Columns, part: _Part, kind: EntityKind, until_ns: int | None
) -> list[dict[str, Any]]:
    """Return starts and ends from the table of tasks and decisions from the log, in order of time."""
    now = _FOREVER if until_ns is None else until_ns
    told: list[tuple[int, int, str, int, bool]] = []
    for column, order, verb in (("last_start_ns", 1, "starts"), ("end_ns", 2, "ends")):
        at = np.flatnonzero((tasks[column] >= 0) & (tasks[column] <= now))
        for row in at[np.argsort(tasks[column][at], kind="stable")][-MOST_ROWS:]:
            task = int(tasks["task"][row])
            said = _moved(verb, kind, task, int(tasks["machine"][row]))
            told.append((int(tasks[column][row]), order, said, task, False))
    places = np.flatnonzero(_about(log, tasks, part) & (log["t_ns"] <= now))[-MOST_ROWS:]
    told += _decided(meta, log, places, kind == "task")
    told.sort(key=lambda one: one[:2])
    return [{"t_s": t / 1e9, "text": said, "task": task, "stops": stops} for t, _, said, task, stops in told]


def _moved(verb: str, kind: EntityKind, task: int, machine: int) -> str:
    """Return a sentence about a start or an end: of the described task, on the described machine, or elsewhere."""
    if kind == "task":
        return gettext("It starts on machine {machine}.", machine=machine) if verb == "starts" else gettext("It ends.")
    if verb == "ends":
        return gettext("Task {task} ends.", task=task)
    if kind == "machine":
        return gettext("Task {task} starts.", task=task)
    return gettext("Task {task} starts on machine {machine}.", task=task, machine=machine)


def _decided(
    meta: dict[str, Any], log: _Columns, places: npt.NDArray[np.int64], alone: bool
) -> list[tuple[int, int, str, int, bool]]:
    spec = scheduler_by_name(meta["scheduler"]["name"])
    reasons = {reason.code: reason for reason in spec.reasons}
    names = Names(
        tuple(meta["resources"]),
        tuple(queue["name"] for queue in meta["queues"]),
        tuple(int(queue["owner"] or 0) if meta["owners"] else 0 for queue in meta["queues"]),
    )
    found = []
    for place in places:
        row = {name: int(column[place]) for name, column in log.items()}
        if (reason := reasons.get(row["reason"])) is None:
            continue
        where = _cluster_of(meta, row["machine"])
        said = filled(reason.template, arguments(reason, row, where, names)) or sentence(reason, row, where, names)
        text = said if alone else gettext("Task {task}: {said}", task=row["task"], said=said)
        times = gettext(" ({count} times)", count=row["count"]) if row["count"] > 1 else ""
        found.append((row["t_ns"], 0, text + times, row["task"], reason.mark in _STOPS))
    return found


def _cluster_of(meta: dict[str, Any], machine: int) -> str:
    for cluster in meta["clusters"]:
        if cluster["first"] <= machine < cluster["first"] + cluster["machines"]:
            return str(cluster["name"])
    return ""


def _task_sentence(tasks: _Columns, until_ns: int | None) -> str:
    """Return a task's own times: what has come by the instant as past, what follows as the run has it."""
    row = {column: int(values[0]) for column, values in tasks.items()}
    now = _FOREVER if until_ns is None else until_ns
    came: dict[str, Any] = {"task": row["task"], "job": row["job"], "time": _at(row, "arrival")}
    if row["arrival_ns"] > now:
        return gettext("Task {task} of job {job} arrives at {time}.", **came)
    if row["first_start_ns"] < 0:
        return gettext("Task {task} of job {job} arrived at {time} and never started.", **came)
    if row["first_start_ns"] > now:
        wait, start = _time(now - row["arrival_ns"]), _at(row, "first_start")
        return gettext(
            "Task {task} of job {job} arrived at {time} and has waited {wait}; it starts at {start}.",
            **came, wait=wait, start=start,
        )  # fmt: skip
    told = {**came, "wait": _waited(row), "machine": row["machine"]}
    if row["attempts"] > 1:
        times = row["attempts"] - 1
        often = gettext("once") if times == 1 else gettext("{count} times", count=times)
        return gettext(
            "Task {task} of job {job} arrived at {time} and waited {wait}. In the whole run, it is preempted {often}: "
            "{lost} of work is lost, its last start is at {start} on machine {machine}.",
            **told, often=often, lost=_time(row["lost_ns"]), start=_at(row, "last_start"),
        )  # fmt: skip
    if until_ns is not None and not 0 <= row["end_ns"] <= now:
        return gettext(
            "Task {task} of job {job} arrived at {time}, waited {wait}, and runs on machine {machine}.", **told
        )
    return gettext("Task {task} of job {job} arrived at {time}, waited {wait}, and ran on machine {machine}.", **told)


def _waited(row: dict[str, int]) -> str:
    """Return how long a task waited until its first start, and where most of that time."""
    wait = _time(row["first_start_ns"] - row["arrival_ns"])
    longest = max(_PARTS, key=lambda one: row[f"{one}_ns"])
    if row[f"{longest}_ns"] <= 0:
        return wait
    return gettext(
        "{wait}, {longest} of it {where}", wait=wait, longest=_time(row[f"{longest}_ns"]), where=_WHERE[longest]
    )


def _time(ns: int) -> str:
    return numbers(duration(ns / 1e9))


def _at(row: dict[str, int], column: str) -> str:
    return numbers(instant(row[f"{column}_ns"] / 1e9))


def _sentence(part: _Part, figures: dict[str, Any]) -> str:
    """Return what is no task, in one sentence with numbers."""
    wait = figures["wait_s"]
    told: dict[str, Any] = {"name": part.name, "n": figures["tasks"]["started"], "waits": ""}
    if wait:
        half, most = (numbers(duration(wait[name])) for name in ("p50", "p99"))
        text = gettext("; half of them waited {half} or less, 99 % {most} or less", half=half, most=most)
        told["waits"] = text
    if part.machines is None:
        return ngettext("{name} had {n} task so far{waits}.", "{name} had {n} tasks so far{waits}.", **told)
    return ngettext("{name} ran {n} task so far{waits}.", "{name} ran {n} tasks so far{waits}.", **told)


_WHERE = {
    "framework_queuing": _("in schedulers' queues"),
    "processing": _("while a master worked on it"),
    "communication": _("on messages"),
    "worker_queuing": _("in a queue at a worker"),
}
