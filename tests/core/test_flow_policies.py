"""Policies of the flow schedulers: Firmament's, utilities by soft constraints, bytes, what stopping costs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from scheduler_core import Experiment, ExperimentError, Simulation, explain, simulate
from scheduler_core.flow.arrays import Net
from scheduler_core.flow.network import FlowNetwork
from scheduler_core.schedulers.flow.policies import WEIGHTS_OF
from scheduler_core.schedulers.flow.state import net_of
from tests.core.test_flow_schedulers import experiment, starts, state_after

ONE = [{"count": 1, "cpus": 1, "memory_gb": 1}]
GPU = {
    "catalogue": "custom",
    "soft": [{"name": "gpu", "slowdown": 3}],
    "custom": [{"name": "gpu", "attribute": "gpu", "comparison": "==", "value": True}],
}


def machines_of(made: Experiment) -> list[int]:
    return [int(number) for number in simulate(made).tasks["machine"]]


def firmament(policy: str, jobs: list[dict[str, Any]], machines: list[dict[str, Any]], **more: Any) -> Experiment:
    params = {"policy": policy} | more.pop("params", {})
    return experiment("firmament", jobs, machines, params=params, **more)


# Firmament


def test_firmaments_quincy_is_quincy_on_the_same_graph_at_the_same_cost() -> None:
    jobs = [{"durations_s": [3.0] * (1 + number % 4), "arrival_s": number / 4} for number in range(24)]
    machines = [{"count": 6, "cpus": 2, "memory_gb": 1}]
    pair = [
        Simulation(made, frames=0)
        for made in (experiment("quincy", jobs, machines, racks=2), firmament("quincy", jobs, machines, racks=2))
    ]
    costs = []
    for simulation in pair:
        simulation.prepare()
    for step in range(60):
        for simulation in pair:
            simulation.advance_to(step * 250_000_000)
        here, there = (simulation.state.network[0] for simulation in pair)
        assert (here.cost, here.live_arcs, here.live_nodes) == (there.cost, there.live_arcs, there.live_nodes)
        costs.append(int(here.cost))
    assert len(set(costs)) > 10


@pytest.mark.parametrize("policy", list(WEIGHTS_OF))
def test_under_each_policy_the_flow_has_the_references_optimum_at_any_time(policy: str) -> None:
    jobs = [{"durations_s": [3.0 + number % 5] * (1 + number % 4), "arrival_s": number / 4} for number in range(24)]
    params = {"interference": 1.0, "bandwidth": "cpus"}
    made = firmament(policy, jobs, [{"count": 6, "cpus": 2, "memory_gb": 1}], racks=2, params=params)
    simulation, costs = Simulation(made, frames=0), set()
    simulation.prepare()
    for step in range(60):
        simulation.advance_to(step * 250_000_000)
        network = FlowNetwork.of(Net(*(getattr(simulation.state, name).copy() for name in Net._fields)))
        found = network.solve()
        assert found == network.solve_cold()
        assert found.status == "optimal"
        costs.add(found.cost)
    assert len(costs) > 10
    assert simulate(made).summary["tasks"]["completed"] == 60


def test_shortest_first_whoever_came_first() -> None:
    jobs = [{"durations_s": [2.0]}, {"durations_s": [9.0], "arrival_s": 0.1}, {"durations_s": [1.0], "arrival_s": 0.2}]
    assert starts(simulate(firmament("sjf", jobs, ONE))) == [0, 3, 2]
    assert starts(simulate(firmament("quincy", jobs, ONE))) == [0, 2, 11]


def test_load_spreads_tasks_and_random_does_not_fill_one_machine_either() -> None:
    jobs, machines = [{"durations_s": [5.0] * 8}], [{"count": 8, "cpus": 8, "memory_gb": 1}]
    assert sorted(machines_of(firmament("load", jobs, machines))) == list(range(8))
    drawn = machines_of(firmament("random", jobs, machines))
    assert 2 < len(set(drawn)) < 8
    assert drawn == machines_of(firmament("random", jobs, machines))
    assert drawn != machines_of(firmament("random", jobs, machines, seed=2))


def test_coco_keeps_rabbits_from_devils() -> None:
    """A devil runs already; the rabbits that come later would take a quarter longer beside it: they share the other
    machine. By load, one of them does run there."""
    queues = [{"name": name, "share": 0.25} for name in ("sheep", "rabbit", "devil", "turtle")]
    jobs = [
        {"durations_s": [100.0], "queue": "devil"},
        *({"durations_s": [10.0], "queue": "rabbit", "arrival_s": second} for second in (1, 2, 3)),
    ]
    params = {"interference": 1.0, "kinds": "queue"}
    for policy, beside in (("coco", 0), ("load", 1)):
        made = firmament(policy, jobs, [{"count": 2, "cpus": 4, "memory_gb": 1}], params=params, queues=queues)
        devil, *rabbits = machines_of(made)
        assert rabbits.count(devil) == beside
    found = simulate(firmament("coco", jobs, [{"count": 2, "cpus": 4, "memory_gb": 1}], params=params, queues=queues))
    took = (found.tasks["end_ns"] - found.tasks["first_start_ns"]) / 1e9
    assert took.tolist() == [100, 10, 10.5, 11]  # a rabbit adds a twentieth to another


def test_net_gives_bandwidth_where_it_is_free_and_no_more_than_there_is() -> None:
    """10 and 4 Gbit/s: the first task of 4 takes 0.4 of the one or all of the other; the last one must wait."""
    machines = [{"count": 1, "cpus": 8, "memory_gb": 1, "resources": {"network_gbps": gbps}} for gbps in (10, 4)]
    demand = {"cpus": 1, "memory_gb": 0, "resources": {"network_gbps": 4}}
    jobs = [{"durations_s": [10.0], "demand": demand, "arrival_s": second} for second in (0, 1, 2, 3)]
    found = simulate(firmament("net", jobs, machines))
    assert [int(number) for number in found.tasks["machine"]] == [0, 0, 1, 0]
    assert starts(found) == [0, 1, 2, 10]
    assert found.summary["counters"]["misfits"] == 0  # the arcs know how many fit


def test_net_without_bandwidth_is_refused_by_name() -> None:
    with pytest.raises(ExperimentError, match=r"scheduler\.params\.bandwidth.*'network_gbps'"):
        simulate(firmament("net", [{"durations_s": [1.0]}], ONE))


def test_a_policy_is_switched_while_the_run_goes_on() -> None:
    """First come first served until 2.5 s, then the shortest; a second change gives the old one back."""
    jobs = [
        {"durations_s": [2.0]},
        {"durations_s": [1.0], "arrival_s": 0.1},
        {"durations_s": [9.0], "arrival_s": 0.2},
        {"durations_s": [0.5], "arrival_s": 0.3},
    ]
    change = {"kind": "set", "at_s": 2.5, "target": {"scheduler": True}, "value": {"policy": "sjf"}}
    assert starts(simulate(firmament("quincy", jobs, ONE))) == [0, 2, 3, 12]
    assert starts(simulate(firmament("quincy", jobs, ONE, events=[change]))) == [0, 2, 3.5, 3]
    assert starts(simulate(firmament("quincy", jobs, ONE, events=[change | {"duration_s": 0.25}]))) == [0, 2, 3, 12]


def test_switching_through_all_policies_keeps_the_optimum_of_the_one_that_rules() -> None:
    jobs = [{"durations_s": [2.0 + number % 3] * 3, "arrival_s": number / 4} for number in range(40)]
    changes = [
        {"kind": "set", "at_s": 1.0 + at, "target": {"scheduler": True}, "value": {"policy": policy}}
        for at, policy in enumerate(("coco", "quincy", "net", "random", "load", "quincy", "sjf"))
    ]
    made = firmament(
        "quincy",
        jobs,
        [{"count": 6, "cpus": 2, "memory_gb": 1}],
        racks=2,
        events=changes,
        params={"interference": 1.0, "bandwidth": "cpus"},
    )
    simulation = Simulation(made, frames=0)
    simulation.prepare()
    for step in range(48):
        simulation.advance_to(step * 250_000_000)
        network = FlowNetwork.of(Net(*(getattr(simulation.state, name).copy() for name in Net._fields)))
        assert network.solve() == network.solve_cold()
    assert simulate(made).summary["tasks"]["completed"] == 120


# Utilities, Sirius' figure 4


def wanting_gpu(scheduler: str, jobs: list[dict[str, Any]], **more: Any) -> Experiment:
    machines = [
        {"count": 1, "cpus": 1, "memory_gb": 1, "attributes": {"gpu": True}},
        {"count": more.pop("others", 1), "cpus": 1, "memory_gb": 1},
    ]
    return experiment(scheduler, jobs, machines, constraints=GPU, **more)


def test_figure_4_of_sirius_the_task_goes_to_the_machine_that_is_worth_more() -> None:
    """T1 on M1 with a GPU is worth 1 and on M2 nothing: arcs of -1 and 0, and the flow of -1."""
    made = wanting_gpu(
        "sirius-placement",
        [{"durations_s": [5.0], "constraints": ["gpu"]}],
        params={"load_cost": 0.0, "rack_cost": 0.0, "core_cost": 0.0, "slots": 1},
    )
    simulation, state = state_after(made, 1)
    arcs = state.arc[state.kind_arc[0]]
    assert state.half[arcs["half"]]["cost"].tolist() == [-1000, 0]
    assert int(simulation.world.task[0].machine) == 0
    assert machines_of(made) == [0]


@pytest.mark.parametrize("scheduler", ["sirius-placement", "sirius-mixed", "quincy", "firmament", "sirius-fairness"])
def test_what_is_soft_goes_elsewhere_for_longer_where_the_best_is_taken(scheduler: str) -> None:
    jobs, params = [{"durations_s": [5.0, 5.0], "constraints": ["gpu"]}], {"leave_cost": None}
    found = simulate(wanting_gpu(scheduler, jobs, params=params))
    took = (found.tasks["end_ns"] - found.tasks["first_start_ns"]) / 1e9
    assert sorted(zip(found.tasks["machine"].tolist(), took.tolist(), strict=True)) == [(0, 5), (1, 15)]
    assert found.summary["counters"]["relaxed"] == 1
    slow = int(found.tasks["machine"].argmax())
    told = explain(wanting_gpu(scheduler, jobs, params=params), slow)["decisions"][-1]
    assert told["arguments"]["count_x"] == "1"


def test_a_hard_constraint_is_an_arc_that_is_not_there() -> None:
    """The same graph, but nothing is soft: the second task waits for the machine with the GPU."""
    hard = GPU | {"soft": []}
    machines = [
        {"count": 1, "cpus": 1, "memory_gb": 1, "attributes": {"gpu": True}},
        {"count": 3, "cpus": 1, "memory_gb": 1},
    ]
    jobs = [{"durations_s": [5.0, 5.0], "constraints": ["gpu"]}]
    made = experiment("sirius-placement", jobs, machines, constraints=hard)
    _, state = state_after(made, 1)
    assert (state.kind_arc[0] >= 0).tolist() == [True, False, False, False]
    assert machines_of(made) == [0, 0]


# Bytes


def test_a_task_with_more_input_goes_to_its_data_first() -> None:
    """Costs by GB: whichever of two large readers has its data on a machine gets it, and run times say so."""
    jobs = [{"durations_s": [1.0] * 40}]
    params = {"input_gb": 4.0, "core_cost": 2.0, "rack_cost": 1.0}
    made = experiment("quincy", jobs, [{"count": 20, "cpus": 1, "memory_gb": 1}], racks=4, params=params)
    _simulation, state = state_after(made, 0.5)
    for t in range(40):
        row = state.node[state.task[t].node]
        for h in range(row.first, row.first + row.count):
            if state.half[h].to == state.rules[0].cluster:
                assert state.half[h].cost == round(2000 * float(state.paced[t].input_gb))
    found = simulate(made)
    took = (found.tasks["end_ns"] - found.tasks["first_start_ns"]) / 1e9
    counters = found.summary["counters"]
    assert (took >= 1.0).all()
    assert (took > 1.0).sum() == counters["in_rack"] + counters["remote"]
    read = sum(counters[name] for name in ("read_local_mb", "read_rack_mb", "read_core_mb"))
    assert read == pytest.approx(1000 * state.paced["input_gb"].sum(), abs=40)
    blind = simulate(
        experiment(
            "quincy",
            jobs,
            [{"count": 20, "cpus": 1, "memory_gb": 1}],
            racks=4,
            params=params | {"core_cost": 0.0, "rack_cost": 0.0},
        )
    ).summary["counters"]
    assert counters["read_local_mb"] > 2 * blind["read_local_mb"]


# What stopping costs


def test_what_has_run_longer_costs_more_to_stop() -> None:
    """Two slots. One task has run for 40 s (counted as 32), one for 3 s (as 2): the urgent one stops the latter."""
    queues = [{"name": "low", "share": 0.1}, {"name": "high", "share": 0.9}]
    jobs = [
        {"durations_s": [100.0], "queue": "low"},
        {"durations_s": [100.0], "queue": "low", "arrival_s": 37},
        {"durations_s": [5.0], "queue": "high", "arrival_s": 40},
    ]
    params = {"preemption": True, "priority_cost": 1000.0, "wait_cost": 0.0, "core_cost": 0.0, "rack_cost": 0.0}
    for run_cost, lost_s in ((1.0, [0, 3]), (0.0, None)):
        found = simulate(
            experiment(
                "sirius-mixed",
                jobs,
                [{"count": 2, "cpus": 1, "memory_gb": 1}],
                queues=queues,
                params=params | {"run_cost": run_cost, "stay_cost": 1.0},
            )
        )
        assert found.summary["counters"]["preemptions"] == 1
        if lost_s is not None:
            assert (found.tasks["lost_ns"][:2] / 1e9).tolist() == lost_s


def test_costs_that_leave_64_bits_are_refused_by_name() -> None:
    jobs = [{"durations_s": [1.0] * 1000, "arrival_s": at} for at in (0, 1e7)]
    with pytest.raises(ExperimentError, match=r"scheduler\.params\.wait_cost.*64 bits"):
        simulate(experiment("quincy", jobs, ONE, params={"wait_cost": 1e6}))


# Shares that cannot be


def test_who_cannot_have_its_share_is_named() -> None:
    """Four machines, two jobs of four tasks: two each by max-min. One machine has what the second job asks for."""
    constraints = {k: v for k, v in GPU.items() if k != "soft"}
    machines = [
        {"count": 1, "cpus": 1, "memory_gb": 1, "attributes": {"gpu": True}},
        {"count": 3, "cpus": 1, "memory_gb": 1},
    ]
    jobs = [{"durations_s": [5.0] * 4}, {"durations_s": [5.0] * 4, "constraints": ["gpu"]}]
    made = experiment("sirius-fairness", jobs, machines, constraints=constraints)
    simulation, state = state_after(made, 1)
    assert int(state.rules[0].short_jobs) == 1
    protocol = simulation.spec.load()
    assert protocol.series(simulation.world, state)["short_jobs"] == 1
    waiting = [t for t in range(4, 8) if simulation.world.task[t].state == 1]
    assert protocol.why_waiting(simulation.world, state, waiting[0]) == {"reason": 6, "x": 2, "y": 1}
    found = simulate(made)
    told = simulation.decisions()
    assert set(told["task"][told["reason"] == 6].tolist()) <= set(range(4, 8))
    told = [(row["reason"], row["arguments"]) for row in explain(made, waiting[0])["decisions"]]
    assert ("short", {"x": "2", "y": "1"}) in told
    assert found.summary["tasks"]["completed"] == 8
    assert not np.isnan(found.summary["allocation_delay_s"]["mean"])


# What happens meanwhile


def test_a_machine_lost_in_mid_round_takes_nothing_of_its_answer() -> None:
    """The reference's round of 1 s takes some microseconds of modelled time; the machine with the data fails within."""
    jobs = [{"durations_s": [5.0], "arrival_s": 1}]
    params = {"solver": "cold", "solver_time": "modelled"}
    machines = [{"count": 12, "cpus": 1, "memory_gb": 1}]
    (chosen,) = machines_of(experiment("quincy", jobs, machines, racks=3, params=params))
    events = [{"kind": "fail", "at_s": 1.000_001, "target": {"machine": chosen}, "duration_s": 60}]
    found = simulate(experiment("quincy", jobs, machines, racks=3, params=params, events=events))
    assert int(found.tasks["machine"][0]) != chosen
    assert found.tasks["attempts"].tolist() == [1]
    assert 1.000_001 < starts(found)[0] < 1.001
    assert found.summary["counters"]["misfits"] == 0


def test_a_snapshot_holds_the_solver_with_its_flow_and_prices() -> None:
    """Restored, the run looks at the same arcs as one that was never stopped: nothing is solved anew."""
    jobs = [{"durations_s": [3.0] * (1 + number % 4), "arrival_s": number / 4} for number in range(24)]
    made = experiment("quincy", jobs, [{"count": 6, "cpus": 2, "memory_gb": 1}], racks=2)
    whole, restored = Simulation(made, frames=0), Simulation(made, frames=0)
    for simulation in (whole, restored):
        simulation.prepare()
    whole.advance_to(4_000_000_000)
    restored.restore(whole.snapshot())
    for simulation in (whole, restored):
        simulation.advance_to(60_000_000_000)
    assert whole.counters() == restored.counters()
    for one, other in zip(net_of(whole.state), net_of(restored.state), strict=True):
        assert one.tobytes() == other.tobytes()


def test_graphs_of_stages_are_refused_by_name() -> None:
    stages = [{"name": "a", "duration_s": 1.0}, {"name": "b", "duration_s": 1.0, "after": ["a"]}]
    with pytest.raises(ExperimentError, match=r"stages.*'quincy'.*graphs"):
        simulate(experiment("quincy", [{"stages": stages}], ONE))


def test_too_many_kinds_of_tasks_are_refused_before_they_are_laid_out() -> None:
    """Each task asks for another bandwidth: 2,000 kinds on 10,000 machines."""
    machines = [{"count": 10_000, "cpus": 8, "memory_gb": 1, "resources": {"network_gbps": 10}}]
    jobs = [
        {"durations_s": [1.0], "demand": {"cpus": 1, "memory_gb": 0, "resources": {"network_gbps": 1 + at / 1000}}}
        for at in range(2_000)
    ]
    with pytest.raises(ExperimentError, match=r"workload: make 2,000 kinds of tasks.*'net'"):
        simulate(firmament("net", jobs, machines))
