"""Read and write DIMACS min-cost-flow files, and read files of changes to such a network.

The format is that of the first DIMACS implementation challenge: lines `c` (comment), `p min NODES ARCS`,
`n NODE SUPPLY` (unlisted nodes supply nothing), `a TAIL HEAD LOW CAP COST`; nodes count from 1. A file of
changes adds `r NODE`, `x TAIL HEAD LOW CAP COST` and `s`, which ends a batch; see docs/explanation/min-cost-flow.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from scheduler_core.errors import Problem, TraceError, shown
from scheduler_core.flow.network import LIMIT, FlowNetwork

_MOST_PROBLEMS = 20
_LARGEST_NODE = 20_000_000
_FIELDS = {
    "p": "p min NODES ARCS",
    "n": "n NODE SUPPLY",
    "a": "a TAIL HEAD LOW CAP COST",
    "r": "r NODE",
    "x": "x TAIL HEAD LOW CAP COST",
    "s": "s",
}


@dataclass
class Graph:
    """A network whose nodes and arcs have the numbers and ends of a file."""

    network: FlowNetwork
    node: dict[int, int]
    arc: dict[tuple[int, int], list[int]]
    """Arcs by their ends, in the order in which they came."""

    def set_node(self, number: int, supply: int) -> None:
        """Add a node, or change what it supplies."""
        if number in self.node:
            self.network.set_supplies([(self.node[number], supply)])
        else:
            self.node[number] = int(self.network.add_nodes([supply])[0])

    def remove_node(self, number: int) -> None:
        """Remove a node with its arcs."""
        there = self.node.pop(number)
        for tail, head in self.network.ends(there):
            self.arc.pop((tail, head), None)
        self.network.remove_nodes([there])

    def add_arc(self, tail: int, head: int, bounds: tuple[int, int, int]) -> None:
        """Add an arc; there may be others with the same ends."""
        ends = (self.node[tail], self.node[head])
        self.arc.setdefault(ends, []).append(int(self.network.add_arcs([(*ends, *bounds)])[0]))

    def set_arc(self, tail: int, head: int, bounds: tuple[int, int, int]) -> bool:
        """Change an arc, or remove it by a capacity of 0; of several the one that came last. False: there is none."""
        ends = (self.node[tail], self.node[head])
        if ends not in self.arc:
            return False
        if bounds[1] > 0:
            self.network.set_arcs([(self.arc[ends][-1], *bounds)])
        else:
            self.network.remove_arcs([self.arc[ends].pop()])
            if not self.arc[ends]:
                del self.arc[ends]
        return True


def read_graph(path: Path) -> Graph:
    """Read a network. TraceError names every line that is wrong, up to 20."""
    lines = _Lines(path, "pna")
    announced: tuple[int, int] | None = None
    supplies: dict[int, int] = {}
    rows: list[list[int]] = []
    for kind, numbers in lines:
        if kind == "p":
            if announced is not None:
                lines.wrong("is a second problem line", "one line `p min NODES ARCS`")
            announced = (numbers[0], numbers[1])
        elif announced is None:
            lines.wrong("comes before the problem line", "`p min NODES ARCS` first")
            break
        elif any(not 1 <= node <= announced[0] for node in numbers[: 1 if kind == "n" else 2]):
            lines.wrong("names a node that does not exist", f"1 to {announced[0]:,}, as the problem line says")
        elif kind == "n":
            supplies[numbers[0]] = numbers[1]
        else:
            rows.append(numbers)
    if announced is None:
        lines.problems.append(Problem("", "has no problem line", "a DIMACS file: `p min NODES ARCS`"))
    elif not lines.problems and len(rows) != announced[1]:
        lines.problems.append(Problem("", f"has {len(rows):,} arcs", f"{announced[1]:,}, as the problem line says"))
    lines.check()
    assert announced is not None
    return _made(announced[0], supplies, np.array(rows, np.int64).reshape(-1, 5))


def _made(nodes: int, supplies: dict[int, int], rows: np.ndarray) -> Graph:
    network = FlowNetwork(nodes + 8, len(rows) + 8)
    supply = np.zeros(nodes, np.int64)
    supply[np.array(list(supplies), np.int64) - 1] = list(supplies.values())
    node = network.add_nodes(supply)
    rows[:, :2] = node[rows[:, :2] - 1]
    arc: dict[tuple[int, int], list[int]] = {}
    for ends, number in zip(rows[:, :2].tolist(), network.add_arcs(rows).tolist(), strict=True):
        arc.setdefault((ends[0], ends[1]), []).append(number)
    return Graph(network, dict(zip(range(1, nodes + 1), node.tolist(), strict=True)), arc)


def write_graph(network: FlowNetwork, path: Path) -> None:
    """Write a network as a DIMACS file; nodes get new numbers from 1, in the order of their numbers."""
    nodes, arcs = network.nodes(), network.arcs()
    number = np.zeros(len(network.net.node), np.int64)
    number[nodes] = np.arange(1, len(nodes) + 1)
    with path.open("w", encoding="ascii") as out:
        out.write(f"p min {len(nodes)} {len(arcs['arc'])}\n")
        for node in nodes[network.net.node.supply[nodes] != 0]:
            out.write(f"n {number[node]} {network.net.node.supply[node]}\n")
        columns = (number[arcs["tail"]], number[arcs["head"]], arcs["low"], arcs["cap"], arcs["cost"])
        out.writelines(f"a {t} {h} {low} {cap} {cost}\n" for t, h, low, cap, cost in zip(*columns, strict=True))


def replay(graph: Graph, path: Path) -> Iterator[int]:
    """Apply a file of changes batch by batch; yields after each batch how many changes it had."""
    lines = _Lines(path, "nraxs")
    waiting = 0
    for kind, numbers in lines:
        if kind == "s":
            lines.check()
            yield waiting
            waiting = 0
            continue
        waiting += 1
        nodes = numbers[: 2 if kind in "ax" else 1]
        missing = [node for node in nodes if kind != "n" and node not in graph.node]
        if missing:
            lines.wrong(f"names node {missing[0]}, which there is not", "an existing node; `n NODE SUPPLY` adds one")
        elif kind == "n":
            graph.set_node(numbers[0], numbers[1])
        elif kind == "r":
            graph.remove_node(numbers[0])
        elif kind == "a":
            graph.add_arc(numbers[0], numbers[1], (numbers[2], numbers[3], numbers[4]))
        elif not graph.set_arc(numbers[0], numbers[1], (numbers[2], numbers[3], numbers[4])):
            lines.wrong("changes an arc that does not exist", "an existing arc; `a` adds one")
        lines.check()
    lines.check()
    if waiting:
        yield waiting


@dataclass
class _Lines:
    """The lines of a file as letter and numbers; keeps what is wrong with them."""

    path: Path
    letters: str
    problems: list[Problem] = field(default_factory=list)
    number: int = 0

    def __iter__(self) -> Iterator[tuple[str, list[int]]]:
        with self.path.open(encoding="utf-8", errors="replace") as file:
            for self.number, line in enumerate(file, 1):
                words = line[:10_000].split()
                if not words or words[0] == "c" or words[0].startswith("c="):
                    continue
                numbers = self._numbers(words)
                if numbers is not None:
                    yield words[0], numbers
                if len(self.problems) >= _MOST_PROBLEMS:
                    return

    def wrong(self, message: str, allowed: str) -> None:
        """Add a problem about the current line."""
        self.problems.append(Problem(f"line {self.number}", message, allowed))

    def check(self) -> None:
        """Raise TraceError if anything was wrong."""
        if self.problems:
            raise TraceError(self.problems)

    def _numbers(self, words: list[str]) -> list[int] | None:
        """Return what a line says, if that can be."""
        kind, wanted = words[0], _FIELDS.get(words[0], "").split()
        if kind not in self.letters or not wanted:
            allowed = ", ".join(f"`{_FIELDS[letter]}`" for letter in self.letters)
            self.wrong(f"begins with {shown(kind)}", f"{allowed}, `c` for a comment")
        elif kind == "p" and words[1:2] != ["min"]:
            self.wrong("is not a minimum-cost flow problem", f"`{_FIELDS['p']}`")
        elif len(words) != len(wanted):
            self.wrong(f"has {len(words) - 1} fields", f"`{_FIELDS[kind]}`")
        else:
            try:
                numbers = [int(word) for word in words[2 if kind == "p" else 1 :]]
            except ValueError:
                self.wrong("holds something other than whole numbers", f"`{_FIELDS[kind]}`")
            else:
                return numbers if self._possible(kind, numbers) else None
        return None

    def _possible(self, kind: str, numbers: list[int]) -> bool:
        nodes = {"p": 2, "n": 1, "r": 1}.get(kind, 2)
        if kind != "s" and any(not 0 <= node <= _LARGEST_NODE for node in numbers[:nodes]):
            self.wrong("has a number that is too large, or below 0", f"0 to {_LARGEST_NODE:,}")
        elif any(abs(amount) > LIMIT for amount in numbers[nodes:]):
            self.wrong("has an amount whose sums would not fit into 64 bits", f"at most {LIMIT:,}")
        elif kind in "ax" and not 0 <= numbers[2] <= numbers[3]:
            self.wrong(f"has bounds {numbers[2]} to {numbers[3]}", "0 <= LOW <= CAP")
        else:
            return True
        return False
