"""Questions answered by search: against a scan of every value, on small experiments."""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scheduler_core import Experiment, ExperimentError, simulate
from scheduler_core.ask import QUESTIONS
from scheduler_core.ask.asking import ask_question, prepared, tried_experiment
from scheduler_core.ask.fleet import fleet_of
from scheduler_core.ask.points import Points
from scheduler_core.ask.promise import Promise, parse_promise
from scheduler_core.ask.question import Asked, Ran, Run
from scheduler_core.ask.search import Boundary, Scale, boundary
from scheduler_core.experiment.sections import Topology
from scheduler_core.studies.results import measured_numbers
from tests.core.test_cli import assert_refused, cli
from tests.tiers import wide

PROMISE = "allocation_delay_s.p90 <= 2"
SEEDS = 3


def data(machines: int = 12, racks: int = 3, **changes: Any) -> dict[str, Any]:
    return {
        "schema_version": 1,
        "seed": 4,
        "topology": {"clusters": [{"name": "c", "racks": racks, "machines": [{"count": machines, "cpus": 2}]}]},
        "workload": {
            "kind": "synthetic",
            "jobs": 60,
            "arrivals": {"kind": "poisson", "rate_per_s": 1.5},
            "tasks_per_job": {"kind": "constant", "value": 2},
            "duration_s": {"kind": "exponential", "mean": 4},
        },
        "scheduler": {"name": "random-queue"},
    } | changes


def experiment(machines: int = 12, **changes: Any) -> Experiment:
    return Experiment.parse(data(machines, **changes))


def mean_p90(make: Callable[[int], Experiment]) -> float:
    """The measure by plain runs: what the search must agree with."""
    found = [simulate(make(seed)).summary["allocation_delay_s"]["p90"] for seed in range(4, 4 + SEEDS)]
    return statistics.fmean(found)


def ask(question: str, of: Experiment | None = None, promise: str = PROMISE, **options: Any) -> dict[str, Any]:
    return ask_question(of or experiment(), question, promise, options, seeds=SEEDS)


def test_machines_agree_with_a_scan_of_every_number() -> None:
    scan = {
        count: mean_p90(lambda seed, count=count: experiment(count, seed=seed, racks=min(3, count)))
        for count in range(1, 25)
    }  # type: ignore[misc]
    smallest = max(count for count, value in scan.items() if value > 2) + 1
    found = ask("machines")
    assert found["answer"] == smallest
    assert found["fails_at"] == smallest - 1
    assert found["low"] <= found["answer"] <= found["high"]
    tried = {one["value"]: one for one in found["tried"]}
    assert all(one["measured"] == pytest.approx(scan[count]) for count, one in tried.items() if count in scan)
    assert all(one["kept"] == (one["measured"] <= 2) for one in tried.values())
    assert {smallest, smallest - 1, 12} <= set(tried)
    assert [one["value"] for one in found["tried"]] == sorted(tried)


@pytest.mark.parametrize("machines", [3, 40])
def test_the_answer_does_not_depend_on_where_the_search_begins(machines: int) -> None:
    assert ask("machines", experiment(machines))["answer"] == ask("machines")["answer"]


def test_an_offered_load_stays_the_same_work_on_other_machines() -> None:
    # 0.9 of 12 machines with 2 CPUs, 2 tasks of 4 s a job: 2.7 jobs a second on any number of machines.
    workload = data()["workload"]
    loaded = experiment(workload=workload | {"arrivals": {"kind": "poisson", "offered_load": 0.9}})
    rated = experiment(workload=workload | {"arrivals": {"kind": "poisson", "rate_per_s": 2.7}})
    by_load, by_rate = (ask("machines", one)["tried"] for one in (loaded, rated))
    assert [one["value"] for one in by_load] == [one["value"] for one in by_rate]
    assert [one["measured"] for one in by_load] == pytest.approx([one["measured"] for one in by_rate], rel=1e-5)


def test_load_agrees_with_a_scan_of_every_step() -> None:
    def at(load: float, seed: int) -> Experiment:
        workload = data()["workload"] | {"arrivals": {"kind": "poisson", "offered_load": load}}
        return experiment(seed=seed, workload=workload)

    steps = [round(0.05 * number, 2) for number in range(1, 41)]
    scan = {load: mean_p90(lambda seed, load=load: at(load, seed)) for load in steps}  # type: ignore[misc]
    largest = steps[steps.index(min(load for load, value in scan.items() if value > 2)) - 1]
    found = ask("load", step=0.05)
    assert (found["answer"], found["fails_at"]) == (largest, round(largest + 0.05, 2))
    assert found["low"] <= largest <= found["high"]
    tried = {one["value"]: one["measured"] for one in found["tried"]}
    assert all(value == pytest.approx(scan[load]) for load, value in tried.items() if load in scan)


def test_listed_jobs_arrive_faster() -> None:
    jobs = [{"arrival_s": float(number), "durations_s": [3.0]} for number in range(20)]
    topology = {"clusters": [{"name": "c", "machines": [{"count": 2, "cpus": 2}]}]}
    found = ask("load", experiment(topology=topology, workload={"kind": "inline", "jobs": jobs}), step=0.1)
    # 4 CPUs serve tasks of 3 s: one each 0.75 s, so at most 1.33 times as fast without any wait; a queue of 20 jobs
    # may still keep a p90 of 2 s a little beyond that.
    assert found["unit"] == "times as fast"
    assert found["answer"] >= 1.3
    assert found["seeds_change"].startswith("The jobs are those of the experiment")
    assert found["low"] == found["answer"] == found["high"]  # no seed changes anything


def test_the_worst_instant_of_a_failure_is_worse_than_every_other_tried_one() -> None:
    found = ask("failure", rack=1, duration=8.0)
    worst = next(one for one in found["tried"] if one["value"] == found["answer"])
    assert worst["measured"] == max(one["measured"] for one in found["tried"])
    event = {"at_s": found["answer"], "kind": "fail", "target": {"rack": 1}, "duration_s": 8.0}
    assert worst["measured"] == pytest.approx(mean_p90(lambda seed: experiment(seed=seed, events=[event])))
    assert found["low"] <= found["answer"] <= found["high"]
    assert found["target"] == {"rack": 1}


def test_without_a_target_the_busiest_rack_fails() -> None:
    # The second rack's machines are the only ones with memory, which every task needs.
    machines = [{"count": 4, "cpus": 2}, {"count": 4, "cpus": 8, "memory_gb": 8}, {"count": 4, "cpus": 2}]
    topology = {"clusters": [{"name": "c", "racks": 3, "machines": machines}]}
    workload = data()["workload"] | {"demand": {"cpus": 1, "memory_gb": 1}}
    assert ask("failure", experiment(topology=topology, workload=workload), duration=5.0)["target"] == {"rack": 1}


def test_machines_that_are_off_keep_the_promise_and_no_other_one_may_go() -> None:
    found = ask("off")
    off = set(found["answer"])
    assert off

    def drained(machines: set[int], seed: int) -> Experiment:
        events = [{"at_s": 0, "kind": "drain", "target": {"machine": one}} for one in sorted(machines)]
        return experiment(seed=seed, events=events)

    assert mean_p90(lambda seed: drained(off, seed)) <= 2
    stays = set(range(12)) - off
    assert {int(name) for name in found["blocked_by"]} == stays
    # All machines are alike, so one more of them is like any other; the first one that stays stands for all.
    assert mean_p90(lambda seed: drained(off | {max(stays)}, seed)) > 2
    before, after = (simulate(drained(some, 4)).tasks["machine"] for some in (set[int](), off))
    moved = [number for number, machine in enumerate(before) if int(machine) in off]
    assert [move["task"] for move in found["moves"]] == moved
    assert all(move["from"] == before[move["task"]] and move["to"] == after[move["task"]] for move in found["moves"])
    assert not off & {move["to"] for move in found["moves"]}
    above = [one for one in found["tried"] if one["value"] > len(found["answer"])]
    assert not any(one["kept"] for one in above)
    assert found["fails_at"] == min(one["value"] for one in above)


def test_a_plan_by_periods_keeps_the_promise_and_no_period_takes_one_more() -> None:
    # Two busy stretches of 20 s with a calm one between them.
    arrivals = [n / 4 for n in range(80)] + [20.0 + n * 4 for n in range(5)] + [40.0 + n / 4 for n in range(80)]
    jobs = [{"arrival_s": at, "durations_s": [2.0]} for at in arrivals]
    of = experiment(6, workload={"kind": "inline", "jobs": jobs})
    found = ask("off", of, periods=3, until_s=60.0, price=2.0)
    counts = [len(one["machines"]) for one in found["plan"]]
    assert counts[1] == max(counts) > counts[0]
    assert found["answer"] == found["plan"][1]["machines"]
    off = set(found["answer"])

    def planned(plan: list[int], seed: int) -> Experiment:
        order = [one for one in reversed(range(6)) if one in off] + [one for one in range(6) if one not in off]
        drain = {"kind": "drain", "duration_s": 20.0}
        events = [
            drain | {"at_s": 20.0 * number, "target": {"machine": machine}}
            for number, count in enumerate(plan)
            for machine in order[:count]
        ]
        return Experiment.parse(data(6, workload={"kind": "inline", "jobs": jobs}, seed=seed, events=events))

    assert mean_p90(lambda seed: planned(counts, seed)) <= 2
    assert sum(one["machine_hours"] for one in found["plan"]) == pytest.approx(found["machine_hours"])
    assert found["saved"] == pytest.approx(2 * found["machine_hours"])
    assert 0 < found["machine_hours"] <= sum(counts) * 20 / 3600
    tried = {tuple(one["value"]): one["kept"] for one in found["tried"]}
    assert tried[tuple(counts)]
    for number in range(3):
        more = tuple(count + (place == number) for place, count in enumerate(counts))
        assert counts[number] == 5 or not tried.get(more, False)


def test_a_machine_that_a_task_needs_stays() -> None:
    machines = [{"count": 5, "cpus": 2}, {"count": 1, "cpus": 2, "gpus": 1}]
    topology = {"clusters": [{"name": "c", "machines": machines}]}
    jobs = [{"arrival_s": float(number), "durations_s": [1.0]} for number in range(10)]
    jobs.append({"arrival_s": 20.0, "durations_s": [1.0], "demand": {"cpus": 1, "gpus": 1}})
    found = ask(
        "off", experiment(topology=topology, workload={"kind": "inline", "jobs": jobs}), "tasks.completed >= 11"
    )
    assert found["answer"] == [0, 1, 2, 3, 4]
    assert found["blocked_by"] == {"5": "No other machine that stays can run task 0."}


def test_the_best_parameter_is_confirmed_under_fresh_seeds() -> None:
    scheduler = {"name": "megha", "params": {"heartbeat_s": 10, "fairness": False}}
    topology = {"global_masters": 2, "clusters": [{"name": "lm", "repeat": 2, "machines": [{"count": 12, "cpus": 1}]}]}
    found = ask(
        "knob", experiment(topology=topology, scheduler=scheduler), "counters.messages <= 1000", only=["heartbeat_s"]
    )
    assert found["answer"]["path"] == "scheduler.params.heartbeat_s"
    assert found["answer"]["value"] > 10  # fewer heartbeats are fewer messages
    assert found["low"] <= found["high"] < 0
    assert not set(found["confirmed"]["seeds"]) & set(found["seeds"])
    assert found["tried"][0]["value"] == found["answer"]["value"]


@wide
def test_a_scheduler_loses_where_it_is_worst_against_the_other_and_fresh_seeds_confirm_it() -> None:
    """Under Sparrow tasks wait behind others while machines are idle, which one central queue never allows."""
    here = data(6, scheduler={"name": "sparrow"})
    here["workload"] = here["workload"] | {"jobs": 300}
    found = ask_question(Experiment.parse(here), "lose", PROMISE, {"against": "fifo"}, seeds=8)
    assert found["answer"] == found["tried"][0]["work"] != {}
    times = [one["times"] for one in found["tried"]]
    assert times == sorted(times, reverse=True)
    assert times[0] > found["now"]["times"] > 1
    assert 0 < found["low"] <= found["high"]
    assert not set(found["confirmed"]["seeds"]) & set(found["seeds"])
    works = [json.dumps(one["work"]) for one in found["tried"]]
    assert len(set(works)) == len(works), "each work is tried once"
    # Each number is that of a plain run of this work.
    worst = {**here}
    for path, value in found["answer"].items():
        place, _, key = path.removeprefix("workload.").rpartition(".")
        if path == "load":
            worst["workload"] = worst["workload"] | {"arrivals": {"kind": "poisson", "offered_load": value}}
        else:
            worst["workload"] = worst["workload"] | {place: worst["workload"][place] | {key: value}}
    plain = simulate(Experiment.parse(worst)).summary["allocation_delay_s"]["p90"]
    assert found["tried"][0]["by_seed"][0] == plain


@wide
def test_a_scheduler_does_not_lose_to_the_one_that_is_worse() -> None:
    found = ask("lose", experiment(6, scheduler={"name": "fifo"}), against="sparrow")
    assert (found["answer"], found["low"], found["high"]) == (None, None, None)
    assert "does fifo lose" in found["sentence"]
    with pytest.raises(ExperimentError, match="own scheduler"):
        ask("lose", experiment(6, scheduler={"name": "fifo"}), against="fifo")
    with pytest.raises(ExperimentError, match="did you mean"):
        ask("lose", against="fifoo")


@wide
@pytest.mark.parametrize(
    ("question", "options"),
    [("machines", {}), ("load", {"step": 0.25}), ("knob", {"only": ["interval_s"]}), ("failure", {"instants": 3}),
     ("lose", {}), ("off", {}), ("off", {"periods": 3, "until_s": 30.0})],
)  # fmt: skip
def test_each_tried_value_is_an_experiment_whose_run_gives_what_the_search_measured(
    question: str, options: dict[str, Any]
) -> None:
    loaded = data()["workload"] | {"arrivals": {"kind": "poisson", "offered_load": 0.6}}
    scheduler = {"name": "max-min", "params": {"interval_s": 1}} if question == "knob" else {"name": "random-queue"}
    of = experiment(workload=loaded, scheduler=scheduler)
    found = json.loads(json.dumps(ask_question(of, question, PROMISE, options, seeds=1)))
    opened = {
        number: made
        for number in range(len(found["tried"]))
        if (made := opened_or_none(of, question, options, found, number))
    }
    for number, made in opened.items():
        numbers = measured_numbers(simulate(Experiment.parse(made)).summary)
        assert numbers["allocation_delay_s.p90"] == found["tried"][number]["by_seed"][0]
    assert len(opened) >= 2
    # Of sets of machines, only the answer is listed whole.
    assert len(opened) == len(found["tried"]) or question == "off"
    with pytest.raises(ExperimentError, match="whole number from 0"):
        tried_experiment(of, question, PROMISE, options, found, len(found["tried"]))


def opened_or_none(
    of: Experiment, question: str, options: dict[str, Any], found: dict[str, Any], number: int
) -> dict[str, Any] | None:
    try:
        return tried_experiment(of, question, PROMISE, options, found, number)
    except ExperimentError:
        return None


def test_several_processes_give_the_same_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scheduler_core.ask.running._WORTH_PROCESSES_S", 0.0)
    alone = ask_question(experiment(), "machines", PROMISE, {"most": 12}, seeds=2)
    together = ask_question(experiment(), "machines", PROMISE, {"most": 12}, seeds=2, processes=2)
    assert json.dumps(alone) == json.dumps(together)


def test_progress_tells_the_cost_before_the_search_and_may_cancel_it() -> None:
    told: list[tuple[int, int]] = []

    def hear(progress: Any) -> None:
        told.append((progress.done, progress.expected))
        if progress.done >= 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ask_question(experiment(), "machines", PROMISE, seeds=SEEDS, told=hear)
    _, asked = prepared(experiment(), "machines", PROMISE, seeds=SEEDS)
    assert told[0] == (0, asked.expected)
    assert ask("machines")["runs"] <= asked.expected


# -- the search by itself ------------------------------------------------------------------------------------------


def searched(
    curve: Callable[[int], tuple[float, ...]],
    start: int,
    most: int = 200,
    *,
    patient: bool = True,
    lacks: Callable[[int], bool] = lambda _: False,
) -> tuple[Boundary, set[int]]:
    """Search a curve in place of runs: `curve` gives the number of an index under each seed.

    `lacks` says at which indices a task lost its machine and found no other.
    """
    seeds = tuple(range(len(curve(1))))
    asked = Asked(experiment(), Promise("x", "<=", 5.0), seeds, None)
    points = Points(asked, lambda index, seed: {"index": index, "seed": seed}, unplaced=(0.0,) * len(seeds))
    steps = boundary(Scale(points, 1, most, start, lambda index: index, patient))

    def ran(run: Run) -> Ran:
        index = run.data["index"]
        return Ran({"x": curve(index)[run.data["seed"]]}, "drained", stranded=int(lacks(index)))

    try:
        runs = next(steps)
        while True:
            runs = steps.send([ran(run) for run in runs])
    except StopIteration as done:
        return done.value, set(points.known)


@pytest.mark.parametrize("start", [1, 37, 64, 200])
@pytest.mark.parametrize("first", [1, 2, 63, 64, 65, 199, 200])
def test_a_falling_curve_has_one_boundary(first: int, start: int) -> None:
    found, tried = searched(lambda index: (5.0 if index >= first else 6.0,), start)
    assert found == Boundary(first, first - 1 if first > 1 else None, None, None, True)
    assert len(tried) < 50


def test_nothing_keeps_the_promise() -> None:
    found, _ = searched(lambda _: (6.0,), 50)
    assert (found.answer, found.fails_at, found.monotone) == (None, 200, True)


@pytest.mark.parametrize(("keeps_from", "start"), [(30, 100), (30, 35), (36, 100)])
def test_a_curve_that_breaks_again_is_told_and_answered_above_the_break(keeps_from: int, start: int) -> None:
    found, tried = searched(lambda index: (6.0 if index < keeps_from or 44 <= index <= 50 else 4.0,), start)
    assert (found.answer, found.fails_at, found.monotone) == (51, 50, False)
    assert tried & set(range(keeps_from, 44))


def test_an_interval_by_seeds_bounds_the_answer() -> None:
    # Numbers 1 apart around 105 - index: their mean is within the bound from 100 on. With 5 seeds the half width is
    # 2.776 * 1.581 / sqrt(5) = 1.963, so an index is surely in from 102 on and may be in from 99 on.
    found, _ = searched(lambda index: tuple(105.0 - index + shift for shift in (-2, -1, 0, 1, 2)), 150)
    assert (found.low, found.answer, found.high) == (99, 100, 102)


def test_an_index_that_leaves_tasks_without_a_machine_bounds_the_answer_whatever_its_interval() -> None:
    def curve(index: int) -> tuple[float, ...]:
        return tuple(105.0 - index + shift for shift in (-2, -1, 0, 1, 2))

    # The same numbers as above, but a run at 100 leaves a task without a machine.
    found, _ = searched(curve, 150, lacks=lambda index: index == 100)
    assert (found.low, found.answer, found.high, found.fails_at) == (101, 101, 102, 100)


# -- machines as a number ------------------------------------------------------------------------------------------


def counts(topology: dict[str, Any]) -> Iterator[int]:
    for cluster in topology["clusters"]:
        yield sum(group["count"] for group in cluster["machines"]) * (cluster.get("repeat") or 1)


def test_one_machine_more_is_one_machine_more_in_one_cluster() -> None:
    clusters = [
        {"name": "a", "repeat": 3, "machines": [{"count": 5}, {"count": 2, "cpus": 8}]},
        {"name": "b", "machines": [{"count": 11}]},
    ]
    fleet = fleet_of(Topology(clusters=clusters))  # type: ignore[arg-type]
    assert (fleet.count, fleet.least) == (32, 4)
    before = fleet.counts(4)
    for machines in range(5, 100):
        after = fleet.counts(machines)
        assert sum(after.values()) == machines
        changed = [after[key] - before[key] for key in after]
        assert sorted(changed) == [*[0] * (len(changed) - 1), 1]
        before = after
    assert fleet.counts(64) == {key: 2 * count for key, count in fleet.counted.items()}
    assert fleet.with_machines(32) == fleet.topology
    assert sum(counts(fleet.with_machines(33))) == 33


@pytest.mark.parametrize(("name", "kind", "count"), [("a", None, 21), ("a-1", None, 7), ("a", 2, 6), ("b", 1, 11)])
def test_a_cluster_or_a_kind_of_machines_is_counted(name: str, kind: int | None, count: int) -> None:
    clusters = [
        {"name": "a", "repeat": 3, "machines": [{"count": 5}, {"count": 2, "cpus": 8}]},
        {"name": "b", "machines": [{"count": 11}]},
    ]
    fleet = fleet_of(Topology(clusters=clusters), name, kind)  # type: ignore[arg-type]
    assert fleet.count == count
    assert sum(counts(fleet.with_machines(count + 4))) == 36


# -- promises and errors -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "promise"),
    [
        ("allocation_delay_s.p99 <= 5", Promise("allocation_delay_s.p99", "<=", 5.0)),
        ("allocation_delay_s.p99.9<1,500ms", Promise("allocation_delay_s.p99.9", "<", 1.5)),
        (" utilisation.cpus ≥ 40 % ", Promise("utilisation.cpus", ">=", 0.4)),
        ("makespan_s <= 2h", Promise("makespan_s", "<=", 7200.0)),
        ("counters.messages < 1e6", Promise("counters.messages", "<", 1e6)),
    ],
)
def test_promises(text: str, promise: Promise) -> None:
    assert parse_promise(text) == promise
    assert parse_promise(str(promise)) == promise


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("soon", "is 'soon'; allowed: a measure, a comparison and a number"),
        ("allocation_delay_s.p99 = 5", "a measure, a comparison and a number"),
        ("allocation_delay.p99 <= 5", "did you mean 'allocation_delay_s'?"),
        ("makespan_s <= 5 minutes", "has the unit 'minutes'"),
        ("makespan_s <= 1.2.3", "a finite number"),
        ("x" * 400 + " <= 5", "a measure, a comparison and a number"),
    ],
)
def test_a_promise_that_is_none(text: str, says: str) -> None:
    with pytest.raises(ExperimentError) as caught:
        parse_promise(text)
    assert says in str(caught.value)


def test_a_trace_stretched_to_a_load_has_no_work_to_hold() -> None:
    trace = {"kind": "trace", "path": str(Path("fixtures/experiments/small.tr").resolve()), "offered_load": 0.5}
    with pytest.raises(ExperimentError, match="stretches the trace's arrivals"):
        ask("machines", experiment(workload=trace))
    assert ask("load", experiment(workload=trace), step=0.5)["answer"] is not None


def test_a_running_task_without_an_end_keeps_its_machine_under_a_scheduler_that_cannot_move_it(tmp_path: Path) -> None:
    made = cli("import-cluster", "fixtures/clusters/kubernetes.json", "--out", tmp_path / "cluster.json")
    assert made.returncode == 0, made.stderr
    imported = Experiment.from_file(tmp_path / "cluster.json").with_(scheduler="random-queue")
    found = ask("off", imported, "allocation_delay_s.p99 <= 60")
    assert found["answer"] == []
    assert all("has no end, and cannot be moved" in reason for reason in found["blocked_by"].values())
    with pytest.raises(ExperimentError):
        ask("load", imported, "allocation_delay_s.p99 <= 60")


def test_a_search_gives_up_where_more_machines_change_nothing() -> None:
    found, tried = searched(lambda index: (6.0 + 100.0 / index**4,), 10, most=100_000, patient=False)
    assert (found.answer, found.monotone) == (None, True)
    assert max(tried) == found.fails_at == 80  # 20, 40 and 80 give the same


def test_the_command_line_tells_what_is_wrong(tmp_path: Path) -> None:
    file = tmp_path / "experiment.json"
    file.write_text(json.dumps(data()))
    asked = ("ask", "machines", file, "--promise", PROMISE)
    assert_refused(cli("ask", "machine", file), "did you mean 'machines'?")
    assert_refused(cli(*asked, "--cluster", "d"), "cluster: is 'd'")
    assert_refused(cli(*asked, "--seeds", "many"), "seeds: is 'many'")
    assert_refused(cli("ask", "machines", file, "--promise", "allocation_delay_s.p98 <= 1"), "did you mean")
    assert_refused(cli("ask", "failure", file, "--promise", PROMISE, "--rack", "9"), "rack: is 9; allowed: 0 to 2")
    assert_refused(
        cli("ask", "knob", file, "--promise", PROMISE, "--only", "heartbeat_s"), "random-queue does not have"
    )
    assert_refused(cli("ask", "machines", tmp_path / "none.json", "--promise", PROMISE), "does not exist")


def test_the_command_line_gives_the_answer(tmp_path: Path) -> None:
    file = tmp_path / "experiment.json"
    file.write_text(json.dumps(data()))
    asked = ("ask", "machines", file, "--promise", PROMISE, "--cluster", "c", "--seeds", SEEDS)
    found = json.loads(cli(*asked, "--json").stdout)
    assert found == ask("machines", cluster="c")
    assert {"answer", "low", "high", "fails_at", "tried", "monotone"} <= set(found)
    shown = cli(*asked).stdout
    assert f"{found['answer']} machines of c keep the promise" in shown
    assert shown.count("broken") + shown.count("kept") == len(found["tried"])
    off = cli("ask", "off", file, "--promise", PROMISE, "--seeds", SEEDS).stdout
    assert "may be switched off" in off
    assert "machines stay, the first is" in off


def test_tasks_without_a_machine_break_any_promise() -> None:
    # Both kinds of tasks run today. With one machine of the second kind less, the wide tasks never start.
    machines = [{"count": 3, "cpus": 2}, {"count": 2, "cpus": 4}]
    jobs = [{"arrival_s": float(number), "durations_s": [1.0]} for number in range(6)]
    jobs.append({"arrival_s": 1.0, "durations_s": [1.0], "demand": {"cpus": 4}})
    of = experiment(
        topology={"clusters": [{"name": "c", "machines": machines}]}, workload={"kind": "inline", "jobs": jobs}
    )
    found = ask("machines", of, "allocation_delay_s.p50 <= 1", type=2)
    assert (found["answer"], found["fails_at"]) == (1, 0)
    # Without such a machine the median is the same under every seed and within the bound, and yet no answer.
    assert (found["low"], found["high"]) == (1, 1)
    assert next(one for one in found["tried"] if one["value"] == 0)["measured"] <= 1
    assert np.isfinite(found["now"]["measured"])


def test_the_help_of_ask_names_every_question() -> None:
    said = cli("ask", "--help").stdout
    assert [question.name for question in QUESTIONS if f"`{question.name}`" not in said] == []
