"""Small random networks that change at random."""

from __future__ import annotations

import numpy as np

from scheduler_core.flow.network import FlowNetwork


class RandomChanges:
    """A small network that takes one to three changes a step; its supplies mostly add up to 0."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.network = FlowNetwork(4, 4)
        self.nodes = [int(node) for node in self.network.add_nodes(np.zeros(self.random.integers(2, 14)))]
        self.supply = dict.fromkeys(self.nodes, 0)
        self.rich = self.random.random() < 0.7  # enough arcs with enough room that most can be solved
        self.arcs: list[int] = []
        for _ in range(6 * len(self.nodes) if self.rich else 3 * len(self.nodes)):
            self.add_arc(*self.two())

    def step(self) -> None:
        kinds = (
            self.add_arc,
            self.drop_arc,
            self.change_arc,
            self.change_arc,
            self.move_supply,
            self.add_node,
            self.drop_node,
        )
        for _ in range(int(self.random.integers(1, 4))):
            kind = kinds[int(self.random.integers(len(kinds)))]
            if kind == self.add_arc:
                self.add_arc(*self.two())
            else:
                kind()

    def two(self) -> tuple[int, int]:
        tail, head = self.random.choice(self.nodes, 2)
        return int(tail), int(head)

    def bounds(self) -> tuple[int, int, int]:
        low = int(self.random.integers(0, 3)) if self.random.random() < (0.02 if self.rich else 0.15) else 0
        cost = int(self.random.integers(-5 if self.random.random() < 0.3 else 0, 20))
        return low, low + int(self.random.integers(0, 30 if self.rich else 9)), cost

    def add_arc(self, tail: int, head: int) -> None:
        self.arcs.append(int(self.network.add_arcs([(tail, head, *self.bounds())])[0]))

    def drop_arc(self) -> None:
        if self.arcs:
            self.network.remove_arcs([self.arcs.pop(int(self.random.integers(len(self.arcs))))])

    def change_arc(self) -> None:
        if self.arcs:
            self.network.set_arcs([(int(self.random.choice(self.arcs)), *self.bounds())])

    def move_supply(self) -> None:
        giver, taker = self.two()
        if giver != taker:
            amount = int(self.random.integers(0, 5))
            self.supply[giver] += amount
            self.supply[taker] -= amount
            self.network.set_supplies([(node, self.supply[node]) for node in (giver, taker)])

    def add_node(self) -> None:
        node = int(self.network.add_nodes([0])[0])
        for _ in range(4):
            other = int(self.random.choice(self.nodes))
            self.add_arc(*((node, other) if self.random.random() < 0.5 else (other, node)))
        self.nodes.append(node)
        self.supply[node] = 0

    def drop_node(self) -> None:
        if len(self.nodes) < 4:
            return
        node = self.nodes.pop(int(self.random.integers(len(self.nodes))))
        self.network.remove_nodes([node])
        left, heir = self.supply.pop(node), self.nodes[0]
        if self.random.random() < 0.97:
            self.supply[heir] += left
        self.network.set_supplies([(heir, self.supply[heir])])
        self.arcs = [int(arc) for arc in self.network.arcs()["arc"]]
