"""Rows about the flow solver: what a change costs it, beside what the reference takes for the whole graph."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from functools import partial

from bench.measured import Measured
from scheduler_core.flow.made_up import ClusterGraph, cluster_graph, replace_tasks
from scheduler_core.flow.network import DEFAULT_SOLVER, SOLVERS

Measure = Callable[[int], Measured]


def resolving(machines: int, tasks: int) -> Measure:
    """Time to replace 1 % of the tasks and solve, over a cold solve of the same graph; the two in turn."""

    def measure(repeats: int) -> Measured:
        graph, ratios, changed, cold = _solved(machines, tasks), [], [], []
        for _ in range(repeats):
            spent = _spent(lambda: _replace(graph, tasks // 100))
            reference = _spent(graph.network.solve_cold)
            changed.append(spent)
            cold.append(reference)
            ratios.append(spent / reference)
        note = f"{_ms(changed)} against {_ms(cold)} from nothing"
        return Measured(tuple(ratios), note)

    return measure


def racing(machines: int, tasks: int) -> Measure:
    """Time of cost scaling over that of shortest paths to replace 1 % of the tasks and solve; the two in turn."""

    def measure(repeats: int) -> Measured:
        graphs = {solver: _solved(machines, tasks) for solver in SOLVERS}
        spent: dict[str, list[float]] = {solver: [] for solver in SOLVERS}
        for _ in range(repeats):
            for solver, graph in graphs.items():
                spent[solver].append(_spent(partial(_replace, graph, tasks // 100, solver)))
        ratios = [scaling / paths for scaling, paths in zip(spent["scaling"], spent["ssp"], strict=True)]
        note = f"cost scaling {_ms(spent['scaling'])}, shortest paths {_ms(spent['ssp'])}"
        return Measured(tuple(ratios), note)

    return measure


def arriving(machines: int, tasks: int) -> Measure:
    """Milliseconds, p50, until one task that arrives has its place."""

    def measure(repeats: int) -> Measured:
        graph = _solved(machines, tasks)
        return Measured(
            tuple(
                1e3 * statistics.median(_spent(lambda: _replace(graph, 1)) for _ in range(200)) for _ in range(repeats)
            ),
            "one goes and one comes, 200 times",
        )

    return measure


def changing(machines: int, tasks: int) -> Measure:
    """Seconds to replace 1 % of the tasks and solve."""

    def measure(repeats: int) -> Measured:
        graph = _solved(machines, tasks)
        return Measured(tuple(_spent(lambda: _replace(graph, tasks // 100)) for _ in range(repeats)), "")

    return measure


def _solved(machines: int, tasks: int) -> ClusterGraph:
    graph = cluster_graph(machines, tasks, seed=1)
    graph.network.solve()
    _replace(graph, tasks // 100)
    return graph


def _replace(graph: ClusterGraph, count: int, solver: str = DEFAULT_SOLVER) -> None:
    replace_tasks(graph, count)
    graph.network.solve(solver)


def _spent(do: Callable[[], object]) -> float:
    began = time.perf_counter()
    do()
    return time.perf_counter() - began


def _ms(times: list[float]) -> str:
    return f"{1e3 * statistics.median(times):.1f} ms"
