"""Jobs as graphs, counted again from a recording: what each job or queue holds at an instant, and who is next."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq

from tests.says.names import queue_name
from tests.says.numbers import duration, plain, unexplained, whole
from tests.says.source import Check, OfRun, Said

#: Reasons that name the order of jobs, and whether they count tasks, or a share of the datacenter.
_JOBS = {"least_share", "least_of_one", "poorest", "fewest"}
_ABOUT = 0.0006


class Jobs:
    """The tables of jobs, stages and placements of a recording."""

    def __init__(self, path: Path, meta: Any) -> None:
        self.meta = meta
        with zipfile.ZipFile(path) as file:
            tables = {
                name: pq.read_table(io.BytesIO(file.read(f"graphs/{name}.parquet")))
                for name in ("jobs", "stages", "placements")
            }
        self.queue = tables["jobs"]["queue"].to_numpy()
        self.arrival, self.ended = (tables["jobs"][name].to_numpy() for name in ("arrival_ns", "end_ns"))
        self.job, first, tasks = (tables["stages"][name].to_numpy() for name in ("job", "first", "tasks"))
        self.stage = np.repeat(np.arange(len(first)), tasks)
        self.demand = np.array(tables["stages"]["demand"].to_pylist(), float)
        self.task, self.machine, self.start, self.end = (
            tables["placements"][name].to_numpy() for name in ("task", "machine", "start_ns", "end_ns")
        )

    def running(self, t_ns: float) -> Any:
        """The placements that run at an instant."""
        begun = (self.start >= 0) & (self.start <= t_ns)
        return np.flatnonzero(begun & ((self.end < 0) | (self.end > t_ns)))

    def held(self, t_ns: float, of: str) -> tuple[Any, Any]:
        """By job or by queue: how many tasks run, and the largest share of a resource that they hold."""
        owner = self.job if of == "jobs" else self.queue[self.job]
        stages = self.stage[self.running(t_ns)]
        count = int(owner.max()) + 1
        runs = np.bincount(owner[stages], minlength=count)
        shares = np.zeros((count, self.demand.shape[1]))
        np.add.at(shares, owner[stages], self.demand[stages])
        capacity = 1000 * np.array(self.meta["capacity"], float)  # demands are in thousandths
        return runs, np.divide(shares, capacity, out=np.zeros_like(shares), where=capacity > 0)


def _turns(one: Said, _of: str, run: OfRun) -> str:
    """Who is next: what the sentence says that each holds is what runs of it."""
    text, at_ns = plain(one["text"]), float(one["at"])
    if re.search(r"\d", text) is None:
        return ""
    jobs = Jobs(run.recorded.path, run.recorded.meta)
    if "started on machine" in text:
        return _choice(text, jobs, at_ns)
    reasons = {each["name"] for each in run.recorded.meta["reasons"]}
    of = "jobs" if reasons & _JOBS else "queues"
    runs, shares = jobs.held(at_ns, of)
    numbers = {queue_name(each["name"]): at for at, each in enumerate(run.recorded.meta["queues"])}
    if of == "queues":
        return _of_queues(text, shares, numbers, run.recorded.meta["queues"], at_ns)
    for name, told in re.findall(r"job (\d[\d,]*)(?: is next| wait longer): it holds ([\d.,]+ (?:%|tasks))", text):
        job, amount = int(name.replace(",", "")), float(told.split()[0].replace(",", ""))
        right = {float(runs[job])} if told.endswith("tasks") else {*(100 * shares[job]), 100 * shares[job].max()}
        if not any(abs(amount - each) <= 100 * _ABOUT for each in right):
            return f"job {job} holds {right}, and not {told}"
    rest = re.sub(r"\bjob \d[\d,]*|holds [\d.,]+ (?:%|tasks)|for [\d.,]+ \w+ at most", " ", text)
    return unexplained(rest, _instant(text, at_ns))


def _instant(text: str, at_ns: float) -> list[str]:
    """The instant that a sentence names, if it names one."""
    return [duration(at_ns)] if text.startswith("At ") else []


def _of_queues(text: str, shares: Any, numbers: dict[str, int], queues: Any, at_ns: float) -> str:
    """A queue's share, and the part of the datacenter that it uses."""
    for name, at in numbers.items():
        for fair, uses in re.findall(
            rf"{re.escape(name)}(?: is next: of its share of | has )([\d.,]+) %(?:, it uses | and uses )([\d.,]+) %",
            text,
        ):
            weights = sum(each["share"] for each in queues)
            wanted = (100 * queues[at]["share"] / weights, 100 * shares[at].max())
            if any(abs(float(told) - right) > 0.06 for told, right in zip((fair, uses), wanted, strict=True)):
                return f"{name} has {wanted[0]} % and uses {wanted[1]} %, and not {fair} % and {uses} %"
        text = re.sub(rf"{re.escape(name)}(?!\d)", " ", text)
    return unexplained(re.sub(r"(?:of |has |uses )[\d.,]+ %", " ", text), _instant(text, at_ns))


def _choice(text: str, jobs: Jobs, at_ns: float) -> str:
    """The newest start: which task of which job started when and where; its score is its fit less its work."""
    found = re.match(r"At ([\d.,]+ \S+), task ([\d,]+) of job ([\d,]+) started on machine ([\d,]+)", text)
    if found is None:
        return f"{text!r} is another sentence"
    time, (task, job, machine) = found[1], (int(found[at].replace(",", "")) for at in (2, 3, 4))
    last = jobs.start[(jobs.start >= 0) & (jobs.start <= at_ns)].max()
    at = int(np.flatnonzero(jobs.task == task)[0])
    placed = (int(jobs.job[jobs.stage[at]]), int(jobs.machine[at]), plain(duration(float(jobs.start[at]))))
    if placed != (job, machine, time) or jobs.start[at] != last:
        return f"task {task} is of job {placed[0]} and started on machine {placed[1]} at {placed[2]}"
    scores = re.findall(r"score: ([\d.,\u2212-]+)\. Its fit counts ([\d.,]+), less ([\d.,]+) for", text)
    for score, fit, work in scores:
        total = float(score.replace("\u2212", "-"))
        if abs(float(fit) - float(work) - total) > 0.002:
            return f"{fit} less {work} is not {score}"
    rest = re.sub(r"score: [\d.,\u2212-]+|counts [\d.,]+|less [\d.,]+", " ", text[found.end() :])
    return unexplained(rest, [])


def _jobs_there(one: Said, _of: str, run: OfRun) -> str:
    """How many jobs are shown where not all are."""
    jobs = Jobs(run.recorded.path, run.recorded.meta)
    return unexplained(one["text"], [whole(len(jobs.arrival))] if re.search(r"\d", one["text"]) else [])


GRAPHS: dict[str, Check] = {"picture:turns": _turns, "picture:jobs": _jobs_there}
