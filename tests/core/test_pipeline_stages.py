"""What stages of a pipeline do to tasks that run: copies, saved work, moves, kept machines; policies that change."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from scheduler_core import ExperimentError, RunResult, Simulation, explain, simulate
from scheduler_core.engine.records import FAILED
from scheduler_core.world.failures import outages
from tests.core.test_pipeline import QUEUES, SECOND, experiment, starts

TWO_SPEEDS = [{"cpus": 1, "resources": {"ghz": 2}}, {"cpus": 1, "resources": {"ghz": 4}}]
FOUR_S = [{"arrival_s": 0, "durations_s": [4]}]


def fail(at_s: float, machine: int, kind: str = "fail") -> dict[str, Any]:
    return {"at_s": at_s, "kind": kind, "target": {"machine": machine}}


def row(run: RunResult, task: int = 0) -> tuple[float, float, int, int, float]:
    """(last start, end, machine, attempts, lost) of a task, times in s."""
    it = run.tasks[task]
    times = [float(it[name]) / SECOND for name in ("last_start_ns", "end_ns", "lost_ns")]
    return times[0], times[1], int(it["machine"]), int(it["attempts"]), times[2]


def test_the_copy_that_ends_first_counts_and_the_other_is_lost() -> None:
    """First fit takes the slow machine, where it would take 8 s; its copy on the fast one takes 4."""
    one = experiment(FOUR_S, TWO_SPEEDS, params={"speed": "ghz", "t9": "copies"})
    run = simulate(one)
    assert row(run) == (0, 4, 1, 2, 4)
    counters = run.summary["counters"]
    assert (counters["copies"], counters["copies_won"]) == (1, 1)
    assert run.summary["pipeline"]["stages"]["T9"]["operations"] == 1
    told = {decision["reason"]: decision["arguments"] for decision in explain(one, 0)["decisions"]}
    assert told["copied"]["machine"] == "1"
    assert told["copy_won"]["x_s"].startswith("4")


@pytest.mark.parametrize(("machine", "end"), [(0, (0, 4, 1, 2, 1)), (1, (0, 4, 0, 2, 1))])
def test_a_copy_goes_on_when_the_other_s_machine_fails(machine: int, end: tuple[float, ...]) -> None:
    one = experiment(FOUR_S, [{"cpus": 1, "count": 2}], params={"t9": "copies"}, events=[fail(1, machine)])
    assert row(simulate(one)) == end
    told = explain(one, 0)["decisions"][-1]
    assert told["reason"] == ("copy_goes_on" if machine == 0 else "copy_lost")
    assert told["arguments"]["x_s"] == "1 s"


def test_a_straggler_gets_a_copy_that_takes_as_long_as_others() -> None:
    """The mean of the stage is 4 s: at 8 s the task of 19 s gets a copy, which ends at 12 s."""
    jobs = [{"arrival_s": 0, "durations_s": [1, 1, 1, 1, 1, 1, 8, 18]}, {"arrival_s": 1, "durations_s": [1]}]
    run = simulate(experiment(jobs, [{"cpus": 1, "count": 9}], params={"t9": "stragglers"}))
    assert row(run, 7) == (8, 12, 0, 2, 12)
    assert row(run, 6) == (0, 8, 6, 1, 0)  # not longer than twice the mean
    full = simulate(experiment(jobs, [{"cpus": 1, "count": 8}], params={"t9": "copies", "t9_copies": 4}))
    assert full.summary["counters"]["copies"] == 3  # at 0 s nothing is left for any
    assert full.tasks["end_ns"].tolist() == [SECOND] * 6 + [8 * SECOND, 18 * SECOND, 2 * SECOND]


def test_what_t6_has_saved_is_not_lost() -> None:
    """It looked at 2 s: of 3 s of work 1 is lost, and 2 are left to do from the look at 4 s on."""
    params = {"t6": "checkpoint", "t6_s": 2}
    run = simulate(experiment(FOUR_S, [{"cpus": 1, "count": 2}], params=params, events=[fail(3, 0)]))
    assert row(run) == (4, 6, 1, 2, 1)
    assert run.summary["lost_work_s"] == 1


@pytest.mark.parametrize(("params", "end"), [
    ({"t12_live": True, "t12_s": 0.5}, (3.5, 4.5, 1, 2, 0)), ({"t12_live": False}, (3, 7, 1, 2, 3)),
    ({"t12_live": False, "t6": "checkpoint", "t6_s": 2}, (3, 5, 1, 2, 1)),
])  # fmt: skip
def test_what_a_move_takes_along(params: dict[str, Any], end: tuple[float, ...]) -> None:
    machines = [{"cpus": 1, "count": 2}]
    run = simulate(experiment(FOUR_S, machines, params={"t12": "drain", **params}, events=[fail(3, 0, "drain")]))
    assert row(run) == end


def test_a_task_makes_room_for_one_that_fits_nowhere() -> None:
    """Worst fit has put one task of 1 CPU on each machine of 2; a task of 2 CPUs comes."""
    jobs = [{"arrival_s": 0, "durations_s": [8, 8]}, {"arrival_s": 1, "durations_s": [2], "demand": {"cpus": 2}}]
    machines = [{"cpus": 2, "count": 2}]
    alone = simulate(experiment(jobs, machines, params={"r5": "worst_fit"}))
    assert starts(alone) == [(0, 0), (0, 1), (8, 0)]
    one = experiment(jobs, machines, params={"r5": "worst_fit", "t12": "contention", "t12_live": True, "t12_s": 0.5})
    run = simulate(one)
    assert row(run, 0) == (1.5, 8.5, 1, 2, 0)
    assert row(run, 2) == (1, 3, 0, 1, 0)
    assert run.summary["counters"]["migrations"] == 1
    last = [explain(one, task)["decisions"][-1] for task in (0, 2)]
    assert [one["reason"] for one in last] == ["moved_aside", "has_room_now"]
    assert [one["arguments"]["machine"] for one in last] == ["1", "0"]


def test_the_machine_that_will_have_room_first_is_kept() -> None:
    """A task of 2 CPUs waits while small ones, that come later, would take each CPU that is freed."""
    jobs = [
        {"arrival_s": 0, "durations_s": [8, 4]},
        {"arrival_s": 1, "durations_s": [2], "demand": {"cpus": 2}},
        *({"arrival_s": 2, "durations_s": [6]} for _ in range(3)),
    ]
    found = {}
    for r4 in ("free_now", "predicted"):
        one = experiment(jobs, [{"cpus": 2}], params={"r4": r4})
        found[r4] = [time for time, _ in starts(simulate(one))]
    assert found == {"free_now": [0, 0, 16, 4, 8, 10], "predicted": [0, 0, 8, 10, 10, 16]}
    told = {decision["reason"]: decision["arguments"] for decision in explain(one, 2)["decisions"]}
    assert told["kept_for"]["machine"] == "0"
    assert told["kept_for"]["x_s"].startswith("7")
    near = simulate(experiment(jobs, [{"cpus": 2}], params={"r4": "predicted", "r4_s": 3}))
    assert [time for time, _ in starts(near)] == found["free_now"]


def test_a_job_is_under_way_until_it_is_cleaned_up() -> None:
    jobs = [{"arrival_s": 0, "durations_s": [2]}] * 2
    params = {"j2": "user_cap", "j2_jobs": 1, "j7": "clean_up", "j7_s": 3}
    run = simulate(experiment(jobs, [{"cpus": 2}], params=params))
    assert [time for time, _ in starts(run)] == [0, 5]
    assert run.summary["pipeline"]["stages"]["J7"]["operations"] == 2


def test_policies_change_while_a_run_goes_on() -> None:
    jobs = [{"arrival_s": 0, "durations_s": [5]}, *({"arrival_s": 1, "durations_s": [d]} for d in (4, 3, 2, 1))]
    event = {"at_s": 2, "kind": "set", "target": {"scheduler": True}, "value": {"t2": "srtf"}}
    shares = {"at_s": 3, "kind": "set", "target": {"queue": "low"}, "value": {"share": 0.9}}
    for params in ({}, {"t2": "random"}, {"t2": "heft"}):
        for more, expected in (({}, [0, 11, 8, 6, 5]), ({"duration_s": 4}, None)):
            run = simulate(experiment(jobs, [{"cpus": 1}], params=params, events=[event | more]))
            found = [time for time, _ in starts(run)]
            if expected:
                assert found == expected
            elif not params:
                assert found == [0, 6, 10, 13, 5]  # what is left at 6 s goes in the order of submission again
    by_share = event | {"at_s": 4, "value": {"t2": "priority"}}
    queues = [jobs[0], *(job | {"queue": name} for job, name in zip(jobs[1:], ("high", "low") * 2, strict=True))]
    run = simulate(experiment(queues, [{"cpus": 1}], queues=QUEUES, events=[shares, by_share]))
    assert [time for time, _ in starts(run)] == [0, 9, 5, 13, 8]  # `low` has the larger share since 3 s
    with pytest.raises(ExperimentError, match="cannot change during a run"):
        experiment(jobs, [{"cpus": 1}], events=[event | {"value": {"r7": "reactive", "r6": "lease"}}])


def test_leases_are_told() -> None:
    params = {"r6": "lease", "r7": "reactive", "r6_delay_s": 4}
    one = experiment(
        [{"arrival_s": 0, "durations_s": [10, 10]}, {"arrival_s": 20, "durations_s": [1]}],
        [{"cpus": 1, "count": 3}],
        params=params,
    )
    told = {decision["reason"]: decision["arguments"] for decision in explain(one, 1)["decisions"]}
    assert told["lease_asked"] == {"y": "2", "machine": "1", "x": "2"}
    assert "given_back" in told
    (last,) = Simulation(one, frames=0).run()
    assert last.layers["pool"].full.tolist() == [255, 0, 0]


# -- failures at random --------------------------------------------------------------------------------------------

RATE = {
    "at_s": 0,
    "kind": "fail",
    "target": {"cluster": "c"},
    "duration_s": 2_000,
    "value": {"every_s": 1_000, "repair_s": 100, "rack_share": 0.5},
}
RACKS = {"clusters": [{"name": "c", "racks": 4, "machines": [{"count": 20, "cpus": 1}]}]}


def drawn(**changes: Any) -> list[tuple[int, int, int, int]]:
    one = experiment(FOUR_S, [], topology=RACKS, events=[RATE | changes])
    return sorted(outages(one.events[0], 0, one.seed, range(20), [machine // 5 for machine in range(20)]))


def test_machines_fail_at_their_rate_and_racks_together() -> None:
    alone = drawn(duration_s=1e6, value={"every_s": 10_000, "repair_s": 100})
    assert 1_700 < len(alone) < 2_300  # 20 machines, 100 times each
    assert all(end == first + 1 for _, _, first, end in alone)
    mean_s = sum(until - begin for begin, until, *_ in alone) / len(alone) / SECOND
    assert 90 < mean_s < 110
    together = [end - first for _, _, first, end in drawn()]
    assert 5 in together
    assert 1 in together
    for machine in range(20):
        own = sorted((begin, until) for begin, until, first, end in drawn() if first <= machine < end)
        assert all(until < begin for (_, until), (begin, _) in itertools.pairwise(own))


def test_failures_at_random_exercise_t11_alike_under_every_policy() -> None:
    jobs = [{"arrival_s": number * 10, "durations_s": [60] * 4} for number in range(50)]
    lost = {}
    for t11 in ("restart", "back_off", "give_up"):
        one = experiment(jobs, [], topology=RACKS, events=[RATE], params={"t11": t11, "t11_retries": 0})
        run = simulate(one)
        lost[t11] = run.summary["counters"]["lost"]
        assert run.summary["tasks"]["unfinished"] == 0
        assert (run.summary["counters"]["given_up"] > 0) == (t11 == "give_up")
    assert lost["restart"] > 0
    rows = Simulation(one)
    rows.prepare()
    times = sorted((int(it.time_ns), int(it.first), int(it.end)) for it in rows.world.incident if it.x == FAILED)
    assert times[:1] == sorted((begin, first, end) for begin, _, first, end in drawn())[:1]


@pytest.mark.parametrize(("changes", "path"), [
    ({"value": {"every_s": 10}}, "value.every_s"), ({"value": {"repair_s": 10}}, "value.every_s"),
    ({"duration_s": None}, "duration_s"), ({"value": {"every_s": 1000, "rack_share": 2}}, "value.rack_share"),
    ({"kind": "drain"}, "value"),
])  # fmt: skip
def test_failures_that_make_no_sense_are_refused(changes: dict[str, Any], path: str) -> None:
    with pytest.raises(ExperimentError) as raised:
        drawn(**changes, **({"duration_s": 1e6} if path == "value.every_s" and "duration_s" not in changes else {}))
    assert raised.value.problems[0].path == f"events[0].{path}"


def times(run: RunResult) -> list[float]:
    return [time for time, _ in starts(run)]


def test_stages_that_go_by_priority_take_tasks_own_priorities_before_shares() -> None:
    """T2 sorts the tasks of one job, J3 jobs by their highest task; both against the shares of their queues."""
    one = [{"cpus": 1}]
    jobs = [{"arrival_s": 0, "durations_s": [1, 1, 1], "priorities": [1, 5, 2], "queue": "high"}]
    assert times(simulate(experiment(jobs, one, queues=QUEUES, params={"t2": "priority"}))) == [2, 0, 1]
    jobs = [{"arrival_s": 0, "durations_s": [1, 1], "priorities": [1, 2], "queue": "high"},
            {"arrival_s": 0, "durations_s": [1, 1], "priorities": [0, 3], "queue": "low"}]  # fmt: skip
    assert times(simulate(experiment(jobs, one, queues=QUEUES, params={"j3": "priority"}))) == [2, 3, 0, 1]


@pytest.mark.parametrize(("priority", "first"), [(3, [0, 1]), (1, [0, 4])])
def test_t10_stops_tasks_of_lower_priority(priority: int, first: list[float]) -> None:
    jobs = [{"arrival_s": 0, "durations_s": [4], "priority": 2, "queue": "low"},
            {"arrival_s": 1, "durations_s": [2], "priority": priority, "queue": "low"}]  # fmt: skip
    assert times(simulate(experiment(jobs, [{"cpus": 1}], queues=QUEUES, params={"t10": "priority"}))) == first
