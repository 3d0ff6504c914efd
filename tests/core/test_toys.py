"""The landing page's toys against the library: the same arrivals, durations and draws, task by task.

Equal exactly, to the nanosecond: when each task starts and ends, and under rules that name a machine, which; how often
requests were sent, refused and lent. Under one queue machines are alike: only times are compared, because which of
several free machines is taken changes nothing.

What the page says of an effect is held over ten seeds, where it says so by a factor and not by a hair.
"""

from __future__ import annotations

import json
import subprocess
from functools import cache
from typing import Any

import numpy as np
import pytest

from scheduler_core import Experiment, simulate
from tests.node import node
from tests.support import PROJECT
from tests.tiers import wide

SECOND = 1_000_000_000
WORK = {"seed": 1, "machines": 24, "load": 0.85, "mean_s": 4, "jobs": 400}
FOUR = {**WORK, "shares": [1, 1, 1, 1]}
MASTERS = {"masters": 4, "delay": SECOND // 20, "report": 5 * SECOND}
RULES: dict[str, dict[str, Any]] = {
    "one queue": {"model": "one_queue", "work": WORK, "rules": {}},
    "a machine at random": {"model": "probes", "work": WORK, "rules": {"probes": 1}},
    "two machines": {"model": "probes", "work": WORK, "rules": {"probes": 2}},
    "copies": {"model": "copies", "work": WORK, "rules": {"schedulers": 6, "think": SECOND // 10}},
    "old copies": {"model": "copies", "work": WORK, "rules": {"schedulers": 6, "think": SECOND * 4 // 10}},
    "four masters": {"model": "masters", "work": FOUR, "rules": MASTERS},
    "one master with more work": {"model": "masters", "work": {**FOUR, "shares": [3, 1, 1, 1]}, "rules": MASTERS},
}


def toys(cases: list[dict[str, Any]]) -> list[dict[str, Any]]:
    script = PROJECT / "tests" / "js" / "toys_told.mjs"
    ran = subprocess.run([node(), script], input=json.dumps(cases), capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    found: list[dict[str, Any]] = json.loads(ran.stdout)
    return found


def of_the_page(panel: str, variant: int) -> tuple[float, float | None]:
    """The mean wait, and the share of requests that were refused, which the library gives for a toy of the page.

    No scheduler of the library keeps a master from borrowing: that variant's are the toy's own.
    """
    (toy,) = toys([{"panel": panel, "variant": variant}])
    told = toy["told"]
    if (panel, variant) == ("masters", 1):
        return float(told["mean_s"]), told["refused"] / told["asked"]
    result = simulate(Experiment.parse(toy["experiment"]))
    counters, tasks = result.summary["counters"], result.tasks
    mean = float((tasks["first_start_ns"] - tasks["arrival_ns"]).mean()) / SECOND
    if panel == "masters":
        refused = counters["inconsistencies_internal"] + counters["inconsistencies_external"]
        return mean, refused / counters["matches"]
    return mean, counters["refused_claims"] / counters["transactions"] if panel == "copies" else None


def compare(case: dict[str, Any]) -> dict[str, Any]:
    """Run the toy and the library on one work; hold them against each other; return the library's counters."""
    (toy,) = toys([case])
    result = simulate(Experiment.parse(toy["experiment"]))
    tasks = np.sort(result.tasks, order="job")
    assert len(tasks) == len(toy["tasks"]) >= 400
    for column, name in (("first_start_ns", "start"), ("end_ns", "end")):
        assert tasks[column].tolist() == [task[name] for task in toy["tasks"]], name
    if case["model"] != "one_queue":
        assert tasks["machine"].tolist() == [task["machine"] for task in toy["tasks"]]
    waits = (tasks["first_start_ns"] - tasks["arrival_ns"]) / SECOND
    assert toy["told"]["mean_s"] == pytest.approx(waits.mean())
    counters: dict[str, Any] = result.summary["counters"]
    if case["model"] == "masters":
        refused = counters["inconsistencies_internal"] + counters["inconsistencies_external"]
        assert (toy["told"]["refused"], toy["told"]["borrowed"]) == (refused, counters["repartitions"])
        assert toy["told"]["asked"] == counters["matches"]
    if case["model"] == "copies":
        assert (toy["told"]["refused"], toy["told"]["asked"]) == (counters["refused_claims"], counters["transactions"])
    return {**counters, **toy["told"]}


@pytest.mark.parametrize("name", [pytest.param(name, marks=wide if "more" in name else ()) for name in RULES])
def test_a_toy_does_what_the_library_does(name: str) -> None:
    told = compare(RULES[name])
    if name in {"old copies", "one master with more work"}:
        assert told["refused"] > 10, "the case shows something"


@wide
@pytest.mark.parametrize("seed", range(2, 8))
@pytest.mark.parametrize("name", RULES)
def test_a_toy_does_what_the_library_does_on_other_draws(name: str, seed: int) -> None:
    case = RULES[name]
    compare({**case, "work": {**case["work"], "seed": seed, "load": 0.75 + 0.03 * seed}})


@pytest.mark.parametrize("name", ["one queue", "two machines", "copies", "four masters"])
def test_a_burst_by_hand_is_work_like_any_other(name: str) -> None:
    compare({**RULES[name], "burst": {"at": 20 * SECOND + 1, "count": 12}})


@cache
def means(load: float, machines: int, jobs: int) -> dict[str, list[dict[str, float]]]:
    """What each toy tells of ten seeds."""
    work = {"machines": machines, "load": load, "mean_s": 4, "jobs": jobs, "shares": [1, 1, 1, 1]}
    rules = {
        "one queue": ("one_queue", {}),
        "random": ("probes", {"probes": 1}),
        "two": ("probes", {"probes": 2}),
        "young": ("copies", {"schedulers": 6, "think": SECOND // 10}),
        "old": ("copies", {"schedulers": 6, "think": SECOND * 4 // 10}),
        "masters": ("masters", MASTERS),
        "alone": ("masters", {**MASTERS, "borrow": False}),
    }
    cases = [
        {"model": model, "work": {**work, "seed": seed}, "rules": rule}
        for model, rule in rules.values()
        for seed in range(1, 11)
    ]
    told = iter(toys(cases))
    return {name: [next(told)["told"] for _ in range(10)] for name in rules}


def larger_by(factor: float, more: list[dict[str, float]], less: list[dict[str, float]], spared: float = 0) -> bool:
    return all(one["mean_s"] - spared > factor * other["mean_s"] for one, other in zip(more, less, strict=True))


def idle_beside_waiting(case: dict[str, Any]) -> float:
    """Return the share of arrivals at which a task begins to wait although a machine is idle."""
    (toy,) = toys([case])
    start = np.array([task["start"] for task in toy["tasks"]])
    end = np.array([task["end"] for task in toy["tasks"]])
    arrivals = [round(job["arrival_s"] * SECOND) for job in toy["experiment"]["workload"]["jobs"]]
    machines = case["work"]["machines"]
    busy = [int(((start <= at) & (end > at)).sum()) for at in arrivals]
    waits = start - np.array(arrivals) > SECOND
    return float(np.mean([wait and count < machines for wait, count in zip(waits, busy, strict=True)]))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_tasks_wait_while_machines_are_idle_where_the_page_says_so(seed: int) -> None:
    work = {**FOUR, "seed": seed, "jobs": 600}
    alone = {"model": "masters", "work": work, "rules": {**MASTERS, "borrow": False}}
    assert idle_beside_waiting({"model": "probes", "work": work, "rules": {"probes": 1}}) > 0.2
    assert idle_beside_waiting(alone) > 0.1
    assert idle_beside_waiting({"model": "one_queue", "work": work, "rules": {}}) == 0


@wide
def test_what_the_page_says_of_effects_is_so() -> None:
    """The sentences of templates/landing.html, in their order; each holds for all of ten draws."""
    found = means(0.85, 24, 600)
    fewer = means(0.85, 12, 600)["one queue"]
    assert larger_by(2, fewer, found["one queue"]), "twice the machines and twice the work: less than half of the wait"
    assert larger_by(10, found["random"], found["one queue"]), "at random: more than ten times as long"
    assert larger_by(2, found["random"], found["two"]), "two questions: less than half"
    assert larger_by(2, found["old"], found["young"], spared=0.4), "older copies: longer by more than the thinking"
    for old, young in zip(found["old"], found["young"], strict=True):
        assert old["refused"] / old["asked"] > young["refused"] / young["asked"], "and more claims are refused"
    assert larger_by(2, found["alone"], found["masters"]), "without borrowing: more than twice as long"
    assert all(each["borrowed"] > 0 and each["refused"] > 0 for each in found["masters"])
