"""Compute what each machine, and waiting, would cost a task in a solved network: shortest paths to the sink."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np

from scheduler_core.explanation.flow.solved import MACHINE, SINK, Solved, units


def prices_of(solved: Solved, node: int, chosen: int, paid: float | None) -> dict[str, Any]:
    """Return the prices of a task by its node, after the round has placed it on `chosen` (-1 for none) for `paid`.

    `machines` lists [machine, price, 1 if no further task has room there], the cheapest first: of the chosen one what
    the task pays, of others what it would pay now. `wait` is the price of no machine, None where the task must run.
    Prices count the arcs up to the sink, and leave out what other tasks would have to pay.
    """
    into = _cheapest(solved, node)
    kinds, numbers, arcs = solved.kind, solved.number, solved.arcs
    to_sink = kinds[arcs["head"]] == SINK
    machines: dict[int, tuple[int, int]] = {}
    wait: int | None = None
    for at in np.flatnonzero(to_sink):
        tail = int(arcs["tail"][at])
        if tail not in into:
            continue
        price = into[tail] + int(arcs["cost"][at])
        if kinds[tail] != MACHINE:
            wait = price if wait is None else min(wait, price)
            continue
        full = int(arcs["flow"][at] >= arcs["cap"][at])
        machine = int(numbers[tail])
        known = machines.get(machine)
        if known is None or (full, price) < (known[1], known[0]):
            machines[machine] = (price, full)
    prices = {machine: units(price) for machine, (price, _) in machines.items()}
    if chosen in prices and paid is not None:
        prices[chosen] = paid
    order = sorted(prices, key=lambda machine: (prices[machine], machine != chosen, machine))
    return {
        "machines": [[machine, prices[machine], machines[machine][1]] for machine in order],
        "wait": None if wait is None else units(wait),
        "chosen": chosen,
    }


def _cheapest(solved: Solved, node: int) -> dict[int, int]:
    """Return the least sum of costs from a node to each other one, over arcs that may carry flow."""
    arcs = solved.arcs
    out: dict[int, list[tuple[int, int]]] = {}
    for tail, head, cap, cost in zip(*(arcs[name].tolist() for name in ("tail", "head", "cap", "cost")), strict=True):
        if cap > 0:
            out.setdefault(tail, []).append((head, cost))
    found, edge = {node: 0}, deque([node])
    while edge:
        here = edge.popleft()
        for head, cost in out.get(here, ()):
            price = found[here] + cost
            if price < found.get(head, price + 1):
                found[head] = price
                edge.append(head)
    return found
