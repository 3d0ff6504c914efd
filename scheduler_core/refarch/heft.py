"""HEFT as published: order tasks by upward rank, and insert each where it ends first, also into gaps.

A plan for one graph with a cost of each task on each processor and a cost of each edge between processors. A pipeline's
T2 `heft` uses the same rank; its R5 `earliest_finish` chooses among machines that are free, without gaps or transfers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Edges = Mapping[tuple[int, int], float]


@dataclass(frozen=True)
class Placed:
    """Where and when a task runs in a plan."""

    processor: int
    start: float
    end: float


def upward_ranks(costs: Sequence[Sequence[float]], edges: Edges) -> list[float]:
    """Return the rank of each task: its mean cost, and the largest of its children's ranks with the edge to them.

    `costs` are of each task on each processor; `edges` must not form a circle.
    """
    children: list[list[tuple[int, float]]] = [[] for _ in costs]
    for (parent, child), cost in edges.items():
        children[parent].append((child, cost))
    ranks: dict[int, float] = {}
    for last in range(len(costs)):
        stack = [last]
        while stack:
            task = stack[-1]
            missing = [child for child, _ in children[task] if child not in ranks]
            if missing:
                stack += missing
                continue
            stack.pop()
            own = sum(costs[task]) / len(costs[task])
            ranks[task] = own + max((cost + ranks[child] for child, cost in children[task]), default=0.0)
    return [ranks[task] for task in range(len(costs))]


def plan(costs: Sequence[Sequence[float]], edges: Edges) -> list[Placed]:
    """Return HEFT's plan of a graph: tasks by falling rank, each where it ends first, in a gap if it fits."""
    ranks = upward_ranks(costs, edges)
    parents: list[list[tuple[int, float]]] = [[] for _ in costs]
    for (parent, child), cost in edges.items():
        parents[child].append((parent, cost))
    busy: list[list[Placed]] = [[] for _ in costs[0]]
    placed: dict[int, Placed] = {}
    for task in sorted(range(len(costs)), key=lambda one: (-ranks[one], one)):
        options = []
        for processor, cost in enumerate(costs[task]):
            ready = max(
                (
                    placed[parent].end + (0.0 if placed[parent].processor == processor else edge)
                    for parent, edge in parents[task]
                ),
                default=0.0,
            )
            start = _first_gap(busy[processor], ready, cost)
            options.append(Placed(processor, start, start + cost))
        best = min(options, key=lambda option: option.end)
        placed[task] = best
        busy[best.processor] = sorted([*busy[best.processor], best], key=lambda one: one.start)
    return [placed[task] for task in range(len(costs))]


def _first_gap(busy: Sequence[Placed], ready: float, cost: float) -> float:
    """Return the first time, not before `ready`, at which a processor has nothing to do for so long."""
    start = ready
    for other in busy:
        if start + cost <= other.start:
            return start
        start = max(start, other.end)
    return start
