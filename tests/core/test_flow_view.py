"""Networks of flow schedulers as they are shown: rounds, ways worked out on paper, grouping, both solvers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from scheduler_core import (
    SCHEDULERS,
    Experiment,
    ExperimentError,
    Simulation,
    flow_pictures,
    flow_race,
    flow_way,
    simulate,
)
from scheduler_core.engine.records import World
from scheduler_core.explanation.flow.rounds import run_until_enough, watched
from scheduler_core.explanation.flow.solved import KINDS, TASK, Solved, take
from scheduler_core.explanation.flow.ways import way_of
from scheduler_core.flow.arrays import Net
from scheduler_core.flow.network import FlowNetwork
from scheduler_core.schedulers.flow.state import FlowState, net_of
from tests.core.test_flow_policies import wanting_gpu
from tests.core.test_flow_schedulers import experiment
from tests.tiers import sampled

NETWORKS = [spec.name for spec in SCHEDULERS if spec.network]
NOT_TO_RUN = 1_000_000.0
"""What it costs not to run a task of the job that came last, or with it."""


def fig_3() -> Experiment:
    jobs = [{"durations_s": [5.0] * 3}, {"durations_s": [5.0] * 4}]
    return experiment("sirius-fairness", jobs, [{"count": 4, "cpus": 1, "memory_gb": 1}])


def fig_5() -> Experiment:
    queues = [{"name": "low", "share": 0.1}, {"name": "middle", "share": 0.3}, {"name": "high", "share": 0.6}]
    jobs = [{"durations_s": [1.0], "queue": name} for name in ("low", "middle", "high")]
    params = {"load_cost": 0.0, "strict": False, "resource_cost": 0.0}
    return experiment("sirius-priority", jobs, [{"count": 1, "cpus": 1, "memory_gb": 1}], queues=queues, params=params)


def busy(scheduler: str, **more: Any) -> Experiment:
    jobs = [{"durations_s": [3.0 + number % 3] * (1 + number % 4), "arrival_s": number / 4} for number in range(24)]
    return experiment(scheduler, jobs, [{"count": 6, "cpus": 2, "memory_gb": 1}], racks=2, **more)


def arcs(picture: dict[str, Any]) -> list[dict[str, Any]]:
    columns = picture["arcs"]
    rows = [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
    for row in rows:
        row["ends"] = tuple(picture["nodes"][row[end]]["id"] for end in ("tail", "head"))
    return rows


def test_the_network_of_figure_3() -> None:
    """Seven tasks, four of them on the four machines; one and two wait, as the bounds say."""
    picture = flow_pictures(fig_3())[0]
    found = {row["ends"]: row for row in arcs(picture)}
    for job, waiting in ((0, 1), (1, 2)):
        row = found[f"unscheduled:{job}", "sink:0"]
        assert (row["low"], row["cap"], row["flow"], row["cost"]) == (waiting, waiting, waiting, [NOT_TO_RUN] * 2)
    assert [found[f"machine:{m}", "sink:0"]["flow"] for m in range(4)] == [1] * 4
    assert (picture["tasks"], picture["waiting"], picture["cost"]) == (7, 3, 3 * NOT_TO_RUN)
    assert [node["layer"] for node in picture["nodes"]] == [0] * 7 + [1] * 3 + [2] + [3] * 4 + [4]
    assert picture["grouped"] == []


def test_the_ways_of_figure_5() -> None:
    """One slot and priorities 0.1, 0.3 and 0.6 of 10,000: to run the middle one instead costs 3,000 more."""
    high, middle, low = (flow_way(fig_5(), task, 1) for task in (2, 1, 0))
    assert [step["to"] for step in high["path"]] == ["cluster:0", "rack:0", "machine:0", "sink:0"]
    assert high["cost"] == 0
    assert (high["next"]["difference"], high["next"]["moves"]) == (3000, [1])
    assert [step["to"] for step in high["next"]["path"]] == ["unscheduled:2", "sink:0"]
    for way, difference, share in ((middle, 3000, 0.3), (low, 5000, 0.1)):
        waits = 1_000_000 + 10_000 * share
        assert (way["cost"], way["next"]["difference"], way["next"]["moves"]) == (waits, difference, [2])
        assert [step["to_label"] for step in way["next"]["path"]] == ["cluster", "rack 0", "machine 0", "sink"]
    assert "the whole schedule would cost 3,000 more; task 2 would make room." in middle["told"]


def test_the_way_of_figure_4() -> None:
    """Machine 0 with a GPU is worth 1 to the task and machine 1 nothing: elsewhere would cost 1 more."""
    free = {"load_cost": 0.0, "rack_cost": 0.0, "core_cost": 0.0, "slots": 1, "leave_cost": None}
    way = flow_way(wanting_gpu("sirius-placement", [{"durations_s": [5.0], "constraints": ["gpu"]}], params=free), 0, 1)
    assert (way["cost"], way["path"][-2]["to"], way["elsewhere"]["path"][-2]["to"]) == (-1, "machine:0", "machine:1")
    assert (way["elsewhere"]["cost"], way["elsewhere"]["difference"], way["elsewhere"]["moves"]) == (0, 1, [])
    assert way["next"]["path"][0]["to"] == "unscheduled:0"
    assert way["prices"] == {"machines": [[0, -1, 1], [1, 0, 0]], "wait": way["next"]["cost"], "chosen": 0}
    assert "On another machine, through set 0, machine 1, the whole schedule would cost 1 more." in way["told"]


def test_the_ways_of_figure_3_cost_nothing_more() -> None:
    """Its tasks are alike: whoever waits could run in another's place, and fairness is kept by the bounds."""
    for task in range(7):
        way = flow_way(fig_3(), task, 1)
        waits = way["path"][0]["to"].startswith("unscheduled")
        assert way["cost"] == (NOT_TO_RUN if waits else 0)
        assert way["next"]["difference"] == 0


def test_a_task_beside_its_data_would_pay_for_the_distance() -> None:
    """One task, three machines in three racks that all have its data, one rack without: next best is as near."""
    job, data = [{"durations_s": [1.0]}], {"unsized_data": True}
    made = experiment("quincy", job, [{"count": 4, "cpus": 1, "memory_gb": 1}], racks=4, params=data)
    way = flow_way(made, 0, 1)
    assert (way["cost"], way["next"]["cost"], way["next"]["difference"]) == (0, 0, 0)
    none_near = experiment("quincy", job, [{"count": 1, "cpus": 1, "memory_gb": 1}], params=data)
    way = flow_way(none_near, 0, 1)
    assert [step["to"] for step in way["path"]] == ["machine:0", "sink:0"]
    assert (way["next"]["cost"], way["next"]["difference"]) == (1, 1)  # over the rack


def test_the_round_of_a_question_is_the_one_that_decided() -> None:
    jobs = [{"durations_s": [2.0]}, {"durations_s": [1.0], "arrival_s": 1}]
    made = experiment("quincy", jobs, [{"count": 1, "cpus": 1, "memory_gb": 1}])
    waits = flow_way(made, 1, at_s=1.5)
    assert waits["path"][0]["to"] == "unscheduled:1"
    assert flow_way(made, 1, at_s=0.5)["round"] == 0
    runs = flow_way(made, 1)
    assert runs["t_s"] == 2
    assert runs["path"][-2]["to"] == "machine:0"
    assert flow_way(made, 0, at_s=1.5)["round"] == 1


@pytest.mark.parametrize("scheduler", sampled(NETWORKS, 3))
def test_pictures_conserve_flow_and_prices_fit_it(scheduler: str) -> None:
    """Whole, and put together to few nodes; one unit a task in both."""
    for most in (300, 24):
        for picture in flow_pictures(busy(scheduler), 5, 20, most_nodes=most):
            balance = np.array([node["supply"] for node in picture["nodes"]])
            for row in arcs(picture):
                balance[row["tail"]] -= row["flow"]
                balance[row["head"]] += row["flow"]
                assert row["low"] <= row["flow"] <= (row["flow"] if row["cap"] is None else row["cap"])
                if most == 300 and row["members"] == 1:
                    if row["cap"] is None or row["flow"] < row["cap"]:
                        assert row["reduced"][0] >= 0
                    if row["flow"] > row["low"]:
                        assert row["reduced"][0] <= 0
            assert not balance.any()
            members = sum(node["members"] for node in picture["nodes"])
            assert members == picture["nodes_in_all"]
            assert bool(picture["grouped"]) == (len(picture["nodes"]) < members)


def test_small_jobs_and_further_racks_are_one_each() -> None:
    jobs = [{"durations_s": [9.0] * (1 + number % 3)} for number in range(150)]
    made = experiment("quincy", jobs, [{"count": 300, "cpus": 1, "memory_gb": 1}], racks=50)
    picture = flow_pictures(made)[0]
    assert len(picture["nodes"]) <= 300
    assert len(picture["grouped"]) == 4
    assert {"tasks:rest", "unscheduled:rest", "rack:rest", "machines:rest"} <= {node["id"] for node in picture["nodes"]}
    assert sum(row["flow"] for row in arcs(picture) if row["ends"][1] == "sink:0") == 300


def test_what_changed_is_what_the_events_did() -> None:
    """The first task settles in round 2, which is all of that; a job of one task comes in round 3."""
    jobs = [{"durations_s": [9.0]}, {"durations_s": [9.0], "arrival_s": 1}]
    near = {"core_cost": 0, "rack_cost": 0}
    made = experiment("quincy", jobs, [{"count": 2, "cpus": 1, "memory_gb": 1}], params=near)
    _, second, third = flow_pictures(made, 1, 3)
    bits = second["change_bits"]

    def ends(picture: dict[str, Any], name: str) -> set[tuple[str, ...]]:
        return {row["ends"] for row in arcs(picture) if row["changed"] & bits[name]}

    assert ends(second, "gone") == {("task:0", "cluster:0"), ("task:0", "unscheduled:0")}
    assert [(frm, to[:7]) for frm, to in ends(second, "new")] == [("task:0", "machine")]
    assert ends(third, "new") == {("task:1", "unscheduled:1"), ("unscheduled:1", "sink:0"), ("task:1", "cluster:0")}
    assert ends(third, "gone") == ends(third, "cost") == set()
    assert (third["t_s"], third["changed"]["new"], third["changed"]["gone"]) == (1, 3, 0)


def cost_without(solved: Solved, state: FlowState, step: dict[str, Any]) -> float:
    """What the schedule costs more when one unit less goes over the arc of a step."""
    at = next(at for at, name in enumerate(ends_of(solved)) if name == (step["from"], step["to"]))
    network = FlowNetwork.of(Net(*(column.copy() for column in net_of(state))))
    arc, low, flow, cost = (int(solved.arcs[name][at]) for name in ("arc", "low", "flow", "cost"))
    network.set_arcs([(arc, low, flow - 1, cost)])
    return (network.solve_cold().cost - solved.cost) / 1000


def ends_of(solved: Solved) -> list[tuple[str, str]]:
    names = [f"{KINDS[kind]}:{number}" for kind, number in zip(solved.kind, solved.number, strict=True)]
    return [(names[tail], names[head]) for tail, head in zip(solved.arcs["tail"], solved.arcs["head"], strict=True)]


@pytest.mark.parametrize("scheduler", sampled(NETWORKS, 3))
def test_the_next_best_way_costs_what_the_reference_says_without_the_arc(scheduler: str) -> None:
    """The arc of a task is taken away, and OR-tools solves what is left."""
    found: list[tuple[float, float | None]] = []
    elsewhere: list[float] = []

    def on_round(world: World, state: FlowState) -> None:
        solved = take(world, state)
        for node in np.flatnonzero(solved.live & (solved.kind == TASK))[:2]:
            way = way_of(solved, int(node), -1)
            used = next(at for at in np.flatnonzero(solved.arcs["tail"] == node) if solved.arcs["flow"][at])
            network = FlowNetwork.of(Net(*(column.copy() for column in net_of(state))))
            network.set_arcs([(solved.arcs["arc"][used], 0, 0, 0)])
            left = network.solve_cold()
            more = (left.cost - solved.cost) / 1000 if left.status == "optimal" else None
            assert (way["next"] and way["next"]["difference"]) == more
            found.append((way["cost"], more))
            if way["elsewhere"]:
                elsewhere.append(way["elsewhere"]["difference"] - cost_without(solved, state, way["path"][-2]))

    assert not run_until_enough(watched(busy(scheduler), 1, on_round))
    assert len({more for _, more in found}) > 2
    assert not any(elsewhere)


def test_a_switch_of_policy_is_seen_in_its_first_round() -> None:
    change = {"kind": "set", "at_s": 2.5, "target": {"scheduler": True}, "value": {"core_cost": 7.0}}
    data = {"unsized_data": True}
    made = busy("sirius-mixed", events=[change], params=data)
    switched = flow_pictures(made, not_before_s=2.5)[0]
    before = flow_pictures(busy("sirius-mixed", params=data), switched["round"])[0]
    found = [[row["cost"] for row in arcs(one) if row["ends"][1] == "cluster:0" and row["members"]]
             for one in (before, switched)]  # fmt: skip
    assert {tuple(cost) for cost in found[0]} == {(2, 2)}
    assert {tuple(cost) for cost in found[1]} == {(7, 7)}


@pytest.mark.slow
@pytest.mark.parametrize("solver", ["ssp", "scaling", "cold"])
@pytest.mark.parametrize("scheduler", sampled(NETWORKS, 5))
def test_watching_does_not_change_the_run_and_all_solvers_agree(scheduler: str, solver: str) -> None:
    made = busy(scheduler, params={"solver_time": "modelled", "solver": solver})
    rows: list[dict[str, Any]] = []
    told = flow_race(made, rows.append)
    assert (told["over"], told["rows"], len({row["round"] for row in rows})) == ("end", len(rows), told["rounds"])
    assert all(row["same"] and row["ics_cost"] == row["cold_cost"] and row["scaling_s"] > 0 for row in rows)
    assert {row["status"] for row in rows} == {"optimal"}
    digest = simulate(made).summary["outcome_digest"]
    for first in (1, 7):
        simulation: Simulation = watched(made, first, lambda world, state: None)
        assert not run_until_enough(simulation)
        assert simulation.result is not None
        assert simulation.result.summary["outcome_digest"] == digest


def test_bounds_without_a_flow_give_way_in_the_picture_too() -> None:
    """A share that cannot be: nothing fits beside the large task, so the round is solved again with less."""
    jobs = [{"durations_s": [4.0], "demand": {"cpus": 2, "memory_gb": 0}}, {"durations_s": [1.0] * 3, "arrival_s": 1}]
    made = experiment(
        "sirius-fairness", jobs, [{"count": 1, "cpus": 2, "memory_gb": 1}], params={"solver_time": "modelled"}
    )
    rows: list[dict[str, Any]] = []
    flow_race(made, rows.append)
    simulation = watched(made, 1, lambda world, state: None)
    run_until_enough(simulation)
    assert simulation.result is not None
    assert simulation.result.summary["outcome_digest"] == simulate(made).summary["outcome_digest"]
    assert all(row["same"] for row in rows)


def test_what_is_not_there_is_refused_by_name() -> None:
    with pytest.raises(ExperimentError, match=r"there is no round 99; allowed: 1 to \d+"):
        flow_pictures(fig_3(), 99)
    other = fig_3().to_dict() | {"scheduler": {"name": "sparrow"}}
    with pytest.raises(ExperimentError, match=r"Sparrow solves no network; allowed: quincy, "):
        flow_pictures(Experiment.parse(other))
    with pytest.raises(ExperimentError, match="there is no task 7"):
        flow_way(fig_3(), 7)
