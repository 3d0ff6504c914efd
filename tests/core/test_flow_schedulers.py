"""Schedulers that solve a flow: examples worked out on paper, both solvers, switching, what does not fit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from scheduler_core import SCHEDULERS, Experiment, RunResult, Simulation, simulate
from scheduler_core.flow.arrays import Net
from scheduler_core.flow.network import FlowNetwork
from scheduler_core.schedulers.flow.state import FlowState

ONE_CPU = {"cpus": 1, "memory_gb": 0}


def experiment(
    scheduler: str, jobs: list[dict[str, Any]], machines: list[dict[str, Any]], racks: int = 1, **more: Any
) -> Experiment:
    params = {"solver_time": "none"} | more.pop("params", {})
    return Experiment.parse(
        {
            "schema_version": 1,
            "seed": more.pop("seed", 1),
            "network": {"message_delay_s": 0},
            "topology": {"clusters": [{"name": "c", "racks": racks, "machines": machines}]},
            "workload": {"kind": "inline", "jobs": [{"arrival_s": 0, "demand": ONE_CPU} | job for job in jobs]},
            "scheduler": {"name": scheduler, "params": params},
            **more,
        }
    )


def starts(found: RunResult) -> list[float]:
    return (found.tasks["first_start_ns"] / 1e9).tolist()


def state_after(made: Experiment, until_s: float) -> tuple[Simulation, FlowState]:
    simulation = Simulation(made, frames=0)
    simulation.prepare()
    simulation.advance_to(round(until_s * 1e9))
    return simulation, simulation.state


def test_figure_3_of_sirius_two_tasks_of_each_job_run() -> None:
    """Jobs of 3 and 4 tasks on four machines of one slot: max-min gives two each, so 1 and 2 are bound to wait."""
    made = experiment(
        "sirius-fairness",
        [{"durations_s": [5.0] * 3}, {"durations_s": [5.0] * 4}],
        [{"count": 4, "cpus": 1, "memory_gb": 1}],
    )
    simulation, state = state_after(made, 1)
    arcs = state.arc[state.job["arc"]]
    assert [(int(arc.low), int(arc.cap)) for arc in arcs] == [(1, 1), (2, 2)]
    running = simulation.world.task["job"][simulation.world.task["state"] == 3]
    assert sorted(running.tolist()) == [0, 0, 1, 1]
    assert simulate(made).summary["tasks"]["completed"] == 7


def test_figure_5_of_sirius_the_highest_priority_runs() -> None:
    """Three tasks of falling priority for one slot, by shares of queues. The last to come is first."""
    queues = [{"name": "low", "share": 0.1}, {"name": "middle", "share": 0.3}, {"name": "high", "share": 0.6}]
    jobs = [{"durations_s": [1.0], "queue": name} for name in ("low", "middle", "high")]
    found = simulate(experiment("sirius-priority", jobs, [{"count": 1, "cpus": 1, "memory_gb": 1}], queues=queues))
    assert starts(found) == [2, 1, 0]


def test_priority_stops_a_running_task_and_loses_its_work() -> None:
    queues = [{"name": "low", "share": 0.1}, {"name": "high", "share": 0.9}]
    jobs = [{"durations_s": [10.0], "queue": "low"}, {"durations_s": [3.0], "queue": "high", "arrival_s": 4}]
    found = simulate(experiment("sirius-priority", jobs, [{"count": 1, "cpus": 1, "memory_gb": 1}], queues=queues))
    assert found.summary["counters"]["preemptions"] == 1
    assert found.tasks["lost_ns"].tolist() == [4_000_000_000, 0]
    assert (found.tasks["end_ns"] / 1e9).tolist() == [17, 7]


def test_who_waits_longer_goes_first() -> None:
    jobs = [{"durations_s": [2.0]}, {"durations_s": [1.0], "arrival_s": 1}, {"durations_s": [1.0], "arrival_s": 0.5}]
    found = simulate(experiment("quincy", jobs, [{"count": 1, "cpus": 1, "memory_gb": 1}]))
    assert starts(found) == [0, 3, 2] or starts(found) == [0, 2, 3]
    by_arrival = found.jobs["arrival_ns"].argsort()
    ends = found.jobs["end_ns"][by_arrival]
    assert (np.diff(ends) > 0).all()


def test_short_tasks_first_and_company_avoided_by_their_weights() -> None:
    jobs = [{"durations_s": [2.0]}, {"durations_s": [5.0]}, {"durations_s": [1.0]}]
    params = {"short_cost": 1.0, "wait_cost": 0.0, "core_cost": 0.0, "rack_cost": 0.0}
    found = simulate(experiment("sirius-mixed", jobs, [{"count": 1, "cpus": 1, "memory_gb": 1}], params=params))
    assert starts(found) == [1, 3, 0]
    spread = experiment(
        "sirius-mixed",
        [{"durations_s": [1.0] * 4}],
        [{"count": 4, "cpus": 4, "memory_gb": 1}],
        params={"load_cost": 1.0, "core_cost": 0.0, "rack_cost": 0.0},
    )
    assert sorted(simulate(spread).tasks["machine"].tolist()) == [0, 1, 2, 3]


def test_tasks_go_to_their_data_and_the_counters_say_where_they_went() -> None:
    """There is a slot for every task on each machine: all of them are beside their data."""
    machines, params = [{"count": 12, "cpus": 8, "memory_gb": 1}], {"unsized_data": True}
    made = experiment("quincy", [{"durations_s": [1.0] * 8}], machines, racks=3, params=params)
    simulation, state = state_after(made, 0.5)
    machine = simulation.world.task["machine"]
    assert all(machine[task] in state.replica[task] for task in range(8))
    counters = simulate(made).summary["counters"]
    assert (counters["local"], counters["in_rack"], counters["remote"]) == (8, 0, 0)


@pytest.mark.parametrize("scheduler", [spec.name for spec in SCHEDULERS if spec.family == "flow"])
def test_the_network_of_a_run_has_the_references_optimum_at_any_time(scheduler: str) -> None:
    """Of a copy, with what has been booked since the last round."""
    jobs = [{"durations_s": [3.0] * (1 + number % 4), "arrival_s": number / 4} for number in range(24)]
    simulation = Simulation(experiment(scheduler, jobs, [{"count": 6, "cpus": 2, "memory_gb": 1}], racks=2), frames=0)
    simulation.prepare()
    seen = set()
    for step in range(60):
        simulation.advance_to(step * 250_000_000)
        network = FlowNetwork.of(Net(*(getattr(simulation.state, name).copy() for name in Net._fields)))
        found = network.solve()
        assert found == network.solve_cold()
        seen.add((found.status, found.flow))
    assert len(seen) > 10
    assert {status for status, _ in seen} == {"optimal"}


def test_what_does_not_fit_in_its_slot_waits_until_something_ends() -> None:
    """Two slots of the small one's size; the large one needs both, and has them when the small one has ended."""
    jobs = [{"durations_s": [2.0]}, {"durations_s": [1.0], "demand": {"cpus": 2, "memory_gb": 0}, "arrival_s": 1}]
    found = simulate(experiment("quincy", jobs, [{"count": 1, "cpus": 2, "memory_gb": 1}]))
    assert starts(found) == [0, 2]
    assert found.summary["counters"]["misfits"] >= 1


def test_a_task_goes_only_where_it_could_run() -> None:
    """One of twelve machines is large enough, and it is not among the first."""
    machines = [{"count": 11, "cpus": 1, "memory_gb": 1}, {"count": 1, "cpus": 4, "memory_gb": 1}]
    jobs = [{"durations_s": [1.0] * 3, "demand": {"cpus": 4, "memory_gb": 0}}]
    found = simulate(experiment("quincy", jobs, machines))
    assert found.tasks["machine"].tolist() == [11, 11, 11]
    assert sorted(starts(found)) == [0, 1, 2]


def test_a_policy_is_switched_while_the_run_goes_on() -> None:
    """First come first served until 2.5 s, then the shortest: the one that came last goes before the long one."""
    jobs = [
        {"durations_s": [2.0]},
        {"durations_s": [1.0], "arrival_s": 0.1},
        {"durations_s": [9.0], "arrival_s": 0.2},
        {"durations_s": [0.5], "arrival_s": 0.3},
    ]
    change = {"kind": "set", "at_s": 2.5, "target": {"scheduler": True}, "value": {"short_cost": 100.0}}
    one = [{"count": 1, "cpus": 1, "memory_gb": 1}]
    assert starts(simulate(experiment("sirius-mixed", jobs, one))) == [0, 2, 3, 12]
    assert starts(simulate(experiment("sirius-mixed", jobs, one, events=[change]))) == [0, 2, 3.5, 3]


def test_the_solvers_time_delays_what_it_decides() -> None:
    jobs = [{"durations_s": [1.0] * 20}]
    delays = []
    for solver in ("ssp", "scaling", "cold"):
        params = {"solver_time": "modelled", "solver": solver, "unsized_data": True}
        found = simulate(experiment("quincy", jobs, [{"count": 20, "cpus": 1, "memory_gb": 1}], params=params))
        assert len(set(found.tasks["first_start_ns"].tolist())) == 1
        summary = found.summary
        assert summary["delay_components_s"]["processing"]["mean"] == summary["allocation_delay_s"]["mean"]
        delays.append(summary["allocation_delay_s"]["mean"])
    assert 0 < delays[0] < delays[1] < 0.01


def test_the_map_shows_what_has_failed_as_out_of_service_and_not_as_full() -> None:
    failing = {"kind": "fail", "at_s": 1, "target": {"machine": 1}, "duration_s": 2}
    made = experiment(
        "quincy",
        [{"durations_s": [9.0] * 2}],
        [{"count": 2, "cpus": 2, "memory_gb": 1}],
        params={"core_cost": 0.0, "rack_cost": 0.0},
        events=[failing],
    )
    shown = {}
    for at_s in (0.5, 2, 4):
        simulation, state = state_after(made, at_s)
        protocol, machines = simulation.spec.load(), np.arange(2, dtype=np.int32)
        for number, layer in enumerate(simulation.layers):
            painted = np.full(2, 7, np.uint8)
            protocol.paint(simulation.world, state, number, machines, painted)
            shown[layer.name, at_s] = painted.tolist()
    assert [shown["outage", at_s] for at_s in (0.5, 2, 4)] == [[0, 0], [0, 255], [0, 0]]
    for layer in ("load", "of_cpus"):
        assert shown[layer, 0.5] == [0, 255]  # both tasks on the second machine
        assert shown[layer, 2] == [255, 0]  # lost, and started on the other one
