"""Read `sacct -P` with any columns: one task for each node of a job."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from scheduler_core.errors import Problem, TraceError, listed
from scheduler_core.inventory.counts import Unknown
from scheduler_core.inventory.found import OPEN, Spec, Task
from scheduler_core.inventory.lines import lines
from scheduler_core.inventory.names import Names
from scheduler_core.inventory.quantities import LATEST_S
from scheduler_core.inventory.slurm import unread
from scheduler_core.inventory.slurm.singletons import name_of, one_by_one
from scheduler_core.inventory.slurm.texts import (
    NS,
    SINGLETON,
    array_tasks,
    dependency,
    duration_s,
    gpus,
    hosts,
    is_count,
    memory_bytes,
    time_ns,
    tres,
)
from scheduler_core.inventory.words import words
from scheduler_core.limits import Limits

STATES = words(
    """
    BOOT_FAIL COMPLETED COMPLETING CONFIGURING DEADLINE FAILED NODE_FAIL OUT_OF_MEMORY PENDING PREEMPTED
    REQUEUED RESIZING RUNNING STOPPED SUSPENDED TIMEOUT CANCELLED REVOKED
    """
)
DEFAULT_STATES = frozenset(STATES) - {"CANCELLED", "REVOKED"}
_RUNNING = frozenset({"RUNNING", "COMPLETING", "SUSPENDED", "STOPPED", "RESIZING", "CONFIGURING"})
_WAITING = frozenset({"PENDING", "REQUEUED"})

_USED = frozenset(
    words(
        """
    jobid jobidraw state submit eligible start end elapsed elapsedraw timelimit timelimitraw partition account
    user qos priority dependency jobname alloccpus reqcpus ncpus allocnodes reqnodes nnodes reqmem alloctres reqtres
    nodelist
    """
    )
)
_DROPPED = re.compile(
    r"comment|admincomment|systemcomment|workdir|submitline|container|wckey|user|uid|gid|group|cluster|exitcode|"
    r"derivedexitcode|flags|reason|reservation|reservationid|licenses|blockid|constraints|assoc\w*|qosraw|planned\w*|"
    r"suspended|layout|ntasks|failednode|stdin|stdout|stderr|extra|restarts|segmentsize|steps?|db_?index|mcslabel|"
    r"(ave|max|min|tot|total|req|sys|user|consumed|cpu|allocgres|reqgres)\w*\Z"
)
_ID = re.compile(r"([0-9]+)(?:\+([0-9]+))?(?:_(?:([0-9]+)|\[([^\]]+)\]))?(\.\S+)?\Z")
_MOST_NODES = 100_000


class Sacct:
    """Jobs of the files read so far, with times as ns since 1970; `tasks` moves them to time 0."""

    def __init__(self, names: Names, unknown: Unknown, limits: Limits, states: frozenset[str] = DEFAULT_STATES) -> None:
        self.specs: list[Spec] = []
        self.counts: Counter[str] = Counter()
        self.left_out: Counter[str] = Counter()
        self.jobs: list[dict[str, Any]] = []
        self._names, self._unknown, self._limits, self._states = names, unknown, limits, states
        self._spec_of: dict[tuple[Any, ...], int] = {}
        self._copies = self._tasks = 0

    def read(self, path: Path) -> None:
        """Read one file; its first line names the columns. Raises TraceError."""
        rows = lines(path, self._limits)
        header = [name.split("%")[0].strip().lower() for name in next(rows, "").split("|")]
        if "jobid" not in header and "jobidraw" not in header:
            raise TraceError([Problem("line 1", "names no column JobID", "what `sacct -P` prints", "leave out -n")])
        for name in header:
            if name and name not in _USED and not _DROPPED.match(name):
                self._unknown.count(f"column {name if name.isalnum() and len(name) < 40 else '(other)'}")
        for number, line in enumerate(rows, 2):
            fields = line.split("|")
            if not line:
                continue
            if len(fields) > len(header) + 1:
                self._unknown.count("a line with more fields than columns", f"line {number}")
                continue
            self._row(dict(zip(header, fields, strict=False)))

    def _row(self, row: dict[str, str]) -> None:
        match = _ID.match(row.get("jobid") or row.get("jobidraw", ""))
        if match is None:
            self._unknown.count("a job id that is none")
            return
        if match[5]:
            self.counts["steps"] += 1
            return
        state = (row.get("state", "").split() or ["COMPLETED"])[0].rstrip("+")
        if state not in STATES:
            self._unknown.count("a state that is none")
            return
        listed_tasks = [] if match[4] is None else array_tasks(match[4])
        if listed_tasks is None:
            self._unknown.count("an array of tasks that is none")
            return
        copies = sum(map(len, listed_tasks)) or 1
        if state not in self._states:
            self.left_out[state] += copies
            return
        self._copies += copies
        # A task for each node of each copy: a short line may ask for billions.
        self._tasks += copies * self._nodes(row)
        for name, asked in (("inventory_pods", self._copies), ("tasks", self._tasks)):
            if (problem := self._limits.exceeded(name, asked, "")) is not None:
                raise TraceError([problem])
        elements = [str(each) for one in listed_tasks for each in one] or [match[3] or ""]
        self._job(row, match[1], match[2] or match[3] or match[4] or "", state, elements)

    def _job(self, row: dict[str, str], number: str, part: str, state: str, elements: list[str]) -> None:
        nodes = self._nodes(row)
        start, end = time_ns(row.get("start", "")), time_ns(row.get("end", ""))
        submit = time_ns(row.get("submit", ""))
        submit = submit if submit is not None else time_ns(row.get("eligible", ""))
        lasted = duration_s(row.get("elapsed", ""))
        if lasted is None and is_count(row.get("elapsedraw", "")):
            lasted = float(row["elapsedraw"])
        if state in _WAITING:
            start = end = lasted = None
        if start is not None and end is None and lasted is not None and state not in _RUNNING:
            end = start + round(lasted * NS)
        if start is None and end is not None and lasted is not None:
            start = end - round(lasted * NS)
        # Lengths of centuries give times that no 64 bits hold.
        start, end = (time if time is None or 0 <= time <= LATEST_S * NS else None for time in (start, end))
        if submit is None and start is None and state not in _WAITING:
            self._unknown.count("a job without a time", self._names.of("job", number))
            return
        self.counts[state] += len(elements)
        spec = self._spec(row)
        for field in unread.of_job(row, tres(row.get("reqtres", "")) | tres(row.get("alloctres", ""))):
            self._unknown.count(field, self._names.of("job", number))
        if "dependency" in self.specs[spec].fields:
            self.counts["dependency"] += len(elements)
        self.jobs.append(
            {
                "id": self._names.of("job", number),
                "part": part,
                "elements": elements,
                "owner": (row.get("user", ""), row.get("jobname", "")),
                "state": state,
                "submit": submit if submit is not None else start,
                "start": start,
                "end": None if state in _RUNNING else end,
                "partition": self._names.of("partition", row.get("partition", "").split(",")[0]),
                "priority": int(row["priority"]) if is_count(row.get("priority", "")) else 0,
                "nodes": nodes,
                "hosts": [self._names.of("node", one) for one in hosts(_listed(row.get("nodelist", "")), nodes)],
                "spec": spec,
            }
        )

    @staticmethod
    def _nodes(row: dict[str, str]) -> int:
        found = tres(row.get("alloctres", "") or row.get("reqtres", "")).get("node", "")
        for text in (row.get("allocnodes", ""), row.get("nnodes", ""), found, row.get("reqnodes", "")):
            low = text.split("-")[0]
            if is_count(low) and int(low) > 0:
                return min(int(low), _MOST_NODES)
        return 1

    def _spec(self, row: dict[str, str]) -> int:
        nodes = self._nodes(row)
        cpus, memory, devices = _asked(row, nodes)
        limit = duration_s(row.get("timelimit", ""))
        if limit is None and is_count(row.get("timelimitraw", "")):
            limit = int(row["timelimitraw"]) * 60.0
        demand = {"cpus": -(-cpus * 1000 // nodes), "memory_gb": -(-memory // (1_000_000 * nodes))}
        if devices:
            demand["gpus"] = -(-devices * 1000 // nodes)
        said = {
            "nodes": nodes,
            "time_limit_s": limit,
            "account": self._names.of("account", row.get("account", "")),
            "user": self._names.of("user", row.get("user", "")),
            "qos": self._names.of("qos", row.get("qos", "")),
            "dependency": self._dependency(row),
        }
        key = (*demand.items(), *((name, str(value)) for name, value in said.items()))
        if key not in self._spec_of:
            self._spec_of[key] = len(self.specs)
            self.specs.append(Spec(demand, {name: value for name, value in said.items() if value}))
        return self._spec_of[key]

    def _dependency(self, row: dict[str, str]) -> dict[str, Any]:
        """Return the conditions of a job with the names of jobs, such as `7` or `7_3` for an array's element."""
        found = dependency(row.get("dependency", ""))
        if found is None:
            self._unknown.count("a dependency that is not one of sbatch's")
            return {}
        if not found:
            return {}
        of = list[list[Any]]()
        for kind, number, minutes in found["of"]:
            if kind == SINGLETON and not (row.get("user") and row.get("jobname")):
                self._unknown.count("a singleton without a user and a job name")
                continue
            job, mark, element = number.partition("_")
            of.append([kind, self._names.of("job", job) + mark + element, minutes])
        return {**found, "of": of} if of else {}

    def tasks(self, machines: set[str]) -> tuple[list[Task], int]:
        """Return the tasks and the time between time 0 and the last time that is known, in ns.

        If no job has ended, the files show a state: running jobs are placed at time 0 and the others wait. Otherwise
        they are a history: time 0 is the first submission, and every job arrives when it was submitted.
        """
        self.jobs = one_by_one(self.jobs, self.specs, self._limits)
        times = [time for job in self.jobs for name in ("submit", "start", "end") if (time := job[name]) is not None]
        if not times:
            return [task for job in self.jobs for task in _spread(job, 0, machines, state=True)], 0
        history = any(job["end"] is not None for job in self.jobs)
        zero = min(job["submit"] for job in self.jobs if job["submit"] is not None) if history else max(times)
        tasks = [task for job in self.jobs for task in _spread(job, zero, machines, state=not history)]
        tasks.sort(key=lambda task: task.arrival_ns)
        return tasks, max(max(times) - zero, 0)


def _spread(job: dict[str, Any], zero: int, machines: set[str], *, state: bool) -> Iterator[Task]:
    """Yield one task for each node of each copy of a job."""
    submit = job["submit"] if job["submit"] is not None else zero
    arrival = 0 if state else max(submit - zero, 0)
    start, end = job["start"], job["end"]
    runs = job["state"] in _RUNNING
    for element in job["elements"]:
        for node in range(job["nodes"]):
            host = job["hosts"][node] if node < len(job["hosts"]) else ""
            yield Task(
                name=name_of(job["id"], element),
                job=(job["id"], job["part"], element),
                queue=job["partition"] or "default",
                spec=job["spec"],
                arrival_ns=arrival,
                started_ns=None if start is None else start - zero,
                duration_ns=OPEN if end is None or start is None else max(end - start, 0),
                machine=host if state and runs and host in machines else "",
                ran_on=host if start is not None else "",
                kind="job",
                priority=job["priority"],
                waiting=job["state"] in _WAITING,
            )


def _asked(row: dict[str, str], nodes: int) -> tuple[int, int, int]:
    """Return CPUs, memory in bytes and GPUs of a whole job."""
    table = tres(row.get("alloctres", "")) or tres(row.get("reqtres", ""))
    numbers = [row.get(name, "") for name in ("alloccpus", "ncpus", "reqcpus")] + [table.get("cpu", "")]
    cpus = next((int(text) for text in numbers if is_count(text) and int(text) > 0), 1)
    memory = 0
    if (found := memory_bytes(table.get("mem", ""))) is not None:
        memory = found[0]
    elif (found := memory_bytes(row.get("reqmem", ""))) is not None:
        memory = found[0] * (cpus if found[1] == "c" else nodes)
    devices = [int(value) for name, value in table.items() if name == "gres/gpu" and is_count(value)]
    typed = ",".join(f"{name}:{value}" for name, value in table.items() if name.startswith("gres/gpu:"))
    return min(cpus, 10**7), min(memory, 2**60), min(devices[0] if devices else gpus(typed), 10**6)


def _listed(text: str) -> str:
    return "" if text in ("None assigned", "(null)", "Unknown", "None") else text


def chosen_states(text: str) -> frozenset[str]:
    """Return the states in `COMPLETED,RUNNING` or `all`. Raises TraceError."""
    if text.lower() == "all":
        return frozenset(STATES)
    names = frozenset(part.strip().upper() for part in text.split(",") if part.strip())
    if wrong := names - frozenset(STATES):
        raise TraceError([Problem("--states", f"names {listed(sorted(wrong), 5)}", f"all, or {listed(STATES)}")])
    return names
