"""The incremental solver against OR-tools, against the optimality conditions, and on changes of every kind."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest

from scheduler_core.flow import network as flow_network
from scheduler_core.flow.arrays import Net
from scheduler_core.flow.dimacs import read_graph
from scheduler_core.flow.made_up import cluster_graph, replace_tasks
from scheduler_core.flow.network import SOLVERS, FlowNetwork
from scheduler_core.flow.solution import INFEASIBLE, OPTIMAL, UNBALANCED, Solution
from tests.core import published
from tests.core.flow_graphs import RandomChanges
from tests.tiers import all_but_wide, wide

SEQUENCES = 1_000
CHANGES = 50


def check(network: FlowNetwork, found: Solution) -> None:
    """Bounds, conservation, reduced-cost optimality, the cost's book, and the reference's optimum."""
    arcs, node = network.arcs(), network.net.node
    assert (arcs["low"] <= arcs["flow"]).all()
    assert (arcs["flow"] <= arcs["cap"]).all()
    assert not (arcs["flow"] < arcs["cap"])[arcs["reduced"] < 0].any()
    assert not (arcs["flow"] > arcs["low"])[arcs["reduced"] > 0].any()
    excess = node.supply.copy()
    np.subtract.at(excess, arcs["tail"], arcs["flow"])
    np.add.at(excess, arcs["head"], arcs["flow"])
    assert (excess == node.excess).all()
    assert (arcs["flow"] * arcs["cost"]).sum() == network.net.network[0].cost
    assert (found.status == OPTIMAL) == (not excess.any())
    assert found == network.solve_cold()


@pytest.mark.parametrize(("part", "solver"), all_but_wide(product(range(10), SOLVERS), [(0, "scaling")]))
@pytest.mark.slow
def test_after_every_change_the_optimum_is_that_of_the_reference(part: int, solver: str) -> None:
    seen: Counter[str] = Counter()
    for seed in range(part, SEQUENCES, 10):
        changes = RandomChanges(seed)
        for _ in range(CHANGES):
            changes.step()
            found = changes.network.solve(solver)
            check(changes.network, found)
            seen[found.status] += 1
    # The sequences are about what can be solved, and about what can not.
    assert seen[OPTIMAL] > 2_000
    assert seen[INFEASIBLE] > 50
    assert seen[UNBALANCED] > 50


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("tasks", [300, 900])
@pytest.mark.slow
def test_a_scheduling_graph_stays_optimal_while_tasks_are_replaced(tasks: int, solver: str) -> None:
    graph = cluster_graph(machines=160, tasks=tasks, seed=5)
    check(graph.network, graph.network.solve(solver))
    rows = [len(array) for array in graph.network.net]
    for _ in range(60):
        replace_tasks(graph, tasks // 20)
        check(graph.network, graph.network.solve(solver))
    # What is removed makes room for what comes.
    assert [len(array) for array in graph.network.net] == rows


def test_solvers_may_take_turns_on_one_network() -> None:
    """What one leaves, flow and prices, the other goes on from; each finishes most solves without the other's help."""
    helped = 0
    for seed in range(40):
        changes = RandomChanges(seed)
        for step in range(CHANGES):
            changes.step()
            searches = changes.network.work.searches
            found = changes.network.solve("scaling" if step % 2 else "ssp")
            check(changes.network, found)
            # Cost scaling counts as one search; more say that shortest paths went on from what it left.
            helped += step % 2 and found.status == OPTIMAL and changes.network.work.searches > searches + 1
    assert helped < 100


def test_one_arrival_looks_at_a_small_part_of_the_graph() -> None:
    graph = cluster_graph(machines=2_000, tasks=4_000, seed=5)
    graph.network.solve()
    before = graph.network.work
    replace_tasks(graph, 1)
    graph.network.solve()
    after = graph.network.work
    assert after.changed - before.changed == 20  # ten arcs went, ten came
    assert after.scanned - before.scanned < 1_000


def test_when_all_changes_the_reference_is_asked_and_taken_over(monkeypatch: pytest.MonkeyPatch) -> None:
    patient, impatient = (cluster_graph(machines=160, tasks=900, seed=6) for _ in range(2))
    expected = patient.network.solve()
    monkeypatch.setattr(flow_network, "PATIENCE", 0)
    monkeypatch.setattr(flow_network, "_LEAST_BUDGET", 100)
    assert impatient.network.solve() == expected
    assert impatient.network.work.searches < patient.network.work.searches
    check(impatient.network, expected)
    for graph in (patient, impatient):
        replace_tasks(graph, 50)
    assert impatient.network.solve() == patient.network.solve()
    check(impatient.network, impatient.network.solve())


def test_an_impatient_solver_says_infeasible_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flow_network, "PATIENCE", 0)
    monkeypatch.setattr(flow_network, "_LEAST_BUDGET", 0)
    network = FlowNetwork()
    one, two, sink = network.add_nodes([3, 1, -4])
    network.add_arcs([(one, sink, 0, 2, 5), (two, sink, 0, 9, 1)])
    check(network, network.solve())
    assert network.solve() == Solution(INFEASIBLE, 0, 0)


def test_a_copy_of_the_arrays_goes_on_in_the_same_way() -> None:
    graph = cluster_graph(machines=80, tasks=400, seed=8)
    graph.network.solve()
    copied = cluster_graph(machines=80, tasks=400, seed=8)
    copied.network.net = Net(*(array.copy() for array in graph.network.net))
    copied.tasks, copied.random = list(graph.tasks), np.random.default_rng(1)
    graph.random = np.random.default_rng(1)
    for _ in range(10):
        for each in (graph, copied):
            replace_tasks(each, 7)
        assert graph.network.solve() == copied.network.solve()
    for one, other in zip(graph.network.net, copied.network.net, strict=True):
        assert one.tobytes() == other.tobytes()


def network_of(supplies: list[int], arcs: list[tuple[int, int, int, int, int]]) -> FlowNetwork:
    network = FlowNetwork(1, 1)
    assert network.add_nodes(supplies).tolist() == list(range(len(supplies)))
    network.add_arcs(arcs)
    return network


@pytest.mark.parametrize(
    ("supplies", "arcs", "status", "cost"),
    [
        pytest.param([], [], OPTIMAL, 0, id="nothing"),
        pytest.param([0, 0], [], OPTIMAL, 0, id="no arcs"),
        pytest.param([1, -1], [], INFEASIBLE, 0, id="disconnected"),
        pytest.param([2, -1], [(0, 1, 0, 9, 1)], UNBALANCED, 0, id="unbalanced"),
        pytest.param([3, -3], [(0, 1, 0, 2, 5), (0, 1, 0, 2, 7)], OPTIMAL, 17, id="two arcs with the same ends"),
        pytest.param([0, 0], [(0, 1, 2, 3, 4)], INFEASIBLE, 0, id="a lower bound that cannot be met"),
        pytest.param([0, 0], [(0, 1, 2, 3, 4), (1, 0, 0, 9, 1)], OPTIMAL, 10, id="a lower bound round a cycle"),
        pytest.param([0, 0], [(0, 1, 0, 3, -4), (1, 0, 0, 5, 1)], OPTIMAL, -9, id="a cycle that pays"),
        pytest.param([0], [(0, 0, 0, 3, -4)], OPTIMAL, -12, id="a loop that pays"),
        pytest.param([1, 0, -1], [(0, 1, 0, 1, -2), (1, 2, 0, 1, -3), (0, 2, 0, 1, -4)], OPTIMAL, -5, id="below 0"),
    ],
)
def test_odd_networks_have_defined_answers(
    supplies: list[int], arcs: list[tuple[int, int, int, int, int]], status: str, cost: int
) -> None:
    for solver in SOLVERS:
        network = network_of(supplies, arcs)
        found = network.solve(solver)
        assert (found.status, found.cost) == (status, cost)
        check(network, found)


def test_a_node_that_goes_takes_its_supply_and_its_flow_along() -> None:
    network = network_of([1, 1, 0, -2], [(0, 2, 0, 1, 1), (1, 2, 0, 1, 1), (2, 3, 0, 2, 1), (1, 3, 0, 1, 9)])
    assert network.solve() == Solution(OPTIMAL, 4, 2)
    network.remove_nodes([2])
    assert network.solve().status == INFEASIBLE
    network.remove_nodes([0])
    network.set_supplies([(3, -1)])
    assert network.solve() == Solution(OPTIMAL, 9, 1)
    assert network.nodes().tolist() == [1, 3]


def test_what_might_not_fit_into_64_bits_is_told_before() -> None:
    assert network_of([5, -5], [(0, 1, 0, 1 << 40, 1 << 40)]).too_large() is None
    assert "costs times" in str(network_of([1 << 30, -(1 << 30)], [(0, 1, 0, 1 << 40, 1 << 40)]).too_large())
    assert "costs times" in str(network_of([0, 0], [(0, 1, 0, 1 << 30, -(1 << 40))]).too_large())


@wide
def test_the_public_graphs_cost_what_they_should() -> None:
    expected = published.figures("flow")
    assert len(expected) == 6
    for name, known in expected.items():
        network = read_graph(published.trace(f"flow/{name}")).network
        for solver in SOLVERS:
            again = read_graph(published.trace(f"flow/{name}")).network
            check(again, again.solve(solver))
        assert network.solve() == Solution(OPTIMAL, known["optimal_cost"], known["flow"])
        assert len(network.arcs()["arc"]) == known["arcs"]
