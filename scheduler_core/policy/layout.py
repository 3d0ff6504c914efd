"""Lay the values of a hook out as rows of numbers for the kernel."""

from __future__ import annotations

from dataclasses import dataclass

from scheduler_core.policy import nodes
from scheduler_core.policy.nodes import Graph

COLUMNS = 5
"""Numbers of a row behind its operation: the arguments."""
_READS = (nodes.CONST, nodes.WORD, nodes.EACH, nodes.RANDOM)


@dataclass(frozen=True)
class Code:
    """A hook's rows in the program: [first, machine) do not depend on the machine, [machine, end) do.

    `result` is the row with the value. `needs` says what the value depends on (policy.nodes).
    """

    first: int
    machine: int
    end: int
    result: int
    needs: int
    line: int


def laid_out(
    rows: list[tuple[int, ...]], graph: Graph, result: int, also: list[int], line: int
) -> tuple[Code, dict[int, int]]:
    """Append a hook's rows: first what does not depend on the machine, then the rest; a fold's rows follow the fold."""
    used = _reached(graph, [result, *also])
    where: dict[int, int] = {}
    first = len(rows)
    machine = first
    for looks in (False, True):
        if looks:
            machine = len(rows)
        for number in used:
            node = graph.nodes[number]
            if node.fold >= 0 or bool(node.needs & (nodes.MACHINE | nodes.VICTIM)) != looks:
                continue
            where[number] = len(rows)
            if node.op != nodes.FOLD:
                rows.append((node.op, *_placed(node.op, node.arguments, where)))
                continue
            _fold_rows(rows, graph, number, used, where)
    return Code(first, machine, len(rows), where[result], graph.nodes[result].needs, line), where


def _fold_rows(rows: list[tuple[int, ...]], graph: Graph, number: int, used: list[int], where: dict[int, int]) -> None:
    """Append a fold: (FOLD, kind, domain, value, condition, end), and then its rows, up to `end`."""
    kind, domain, value, condition, fold = graph.nodes[number].arguments
    at = len(rows)
    rows.append(())
    for one in used:
        node = graph.nodes[one]
        if node.fold == fold:
            where[one] = len(rows)
            rows.append((node.op, *_placed(node.op, node.arguments, where)))
    rows[at] = (nodes.FOLD, kind, domain, where[value], where[condition], len(rows))


def _placed(op: int, arguments: tuple[int, ...], where: dict[int, int]) -> tuple[int, ...]:
    """Return the arguments of a row: of an operation on values, their rows."""
    return arguments if op in _READS else tuple(where[one] for one in arguments)


def _reached(graph: Graph, results: list[int]) -> list[int]:
    """Return the values that the results are computed from, in order."""
    found: set[int] = set()
    waiting = list(results)
    while waiting:
        number = waiting.pop()
        if number in found:
            continue
        found.add(number)
        node = graph.nodes[number]
        if node.op == nodes.FOLD:
            waiting += node.arguments[2:4]
        elif node.op not in _READS:
            waiting += node.arguments
    return sorted(found)
