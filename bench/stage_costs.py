"""What one operation of a stage's plain algorithm takes, measured: `python -m bench.stage_costs` prints a table.

Its figures were frozen in `scheduler_core/refarch/costs.py`, so that modelled times are the same everywhere; nothing
reads this but whoever wants to know how far another machine is from them. Each loop does the plain thing on arrays of a
thousand rows, other ones each time, and the median counts.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numba
import numpy as np

_ROWS = 1_000
_INPUTS = 400
_compiled: Any = numba.njit(nogil=True, fastmath=False)


@_compiled
def _sort(keys: Any, order: Any, scratch: Any) -> int:
    """Sort places by key by merging; returns how often two were compared."""
    compared, width, n = 0, 1, len(keys)
    for place in range(n):
        order[place] = place
    while width < n:
        for low in range(0, n, 2 * width):
            middle, high = min(low + width, n), min(low + 2 * width, n)
            left, right = low, middle
            for place in range(low, high):
                if left < middle and (right >= high or keys[order[left]] <= keys[order[right]]):
                    scratch[place] = order[left]
                    left += 1
                else:
                    scratch[place] = order[right]
                    right += 1
                compared += 1
        order[:] = scratch
        width *= 2
    return compared


@_compiled
def _shuffle(order: Any, draws: Any) -> int:
    """Each place changes with one drawn before it."""
    for place in range(len(order) - 1, 0, -1):
        other = draws[place] % (place + 1)
        order[place], order[other] = order[other], order[place]
    return len(order)


@_compiled
def _eligible(waits_for: Any, node: Any, found: Any) -> int:
    """Keep the tasks whose node waits for nothing."""
    count = 0
    for task in range(len(node)):
        if waits_for[node[task]] == 0:
            found[count] = task
            count += 1
    found[-1] = count
    return len(node)


@_compiled
def _go_through(rows: Any, found: Any) -> int:
    """Take one after another."""
    for place in range(len(rows)):
        found[place] = rows[place]
    return len(rows)


@_compiled
def _by_properties(offers: Any, asks: int, found: Any) -> int:
    """Keep the machines that offer all that is asked for."""
    count = 0
    for machine in range(len(offers)):
        if (offers[machine] & asks) == asks:
            found[count] = machine
            count += 1
    found[-1] = count
    return len(offers)


@_compiled
def _by_room(free: Any, demand: Any, found: Any) -> int:
    """Keep the machines that have room."""
    count = 0
    for machine in range(free.shape[0]):
        holds = True
        for r in range(free.shape[1]):
            holds = holds and free[machine, r] >= demand[r]
        if holds:
            found[count] = machine
            count += 1
    found[-1] = count
    return int(free.shape[0])


@_compiled
def _best(free: Any, demand: Any, part: Any, found: Any) -> int:
    """Return the machine that is left the least free."""
    least, best = 1e300, -1
    for machine in range(free.shape[0]):
        left = 0.0
        for r in range(free.shape[1]):
            left += (free[machine, r] - demand[r]) * part[r]
        if left < least:
            least, best = left, machine
    found[0] = best
    return int(free.shape[0])


@_compiled
def _submit(times: Any, free: Any, demand: Any, task: Any, heap: Any) -> int:
    """Take the resources, write the task's record, and put its end among a thousand others."""
    for number in range(len(times)):
        machine = number % free.shape[0]
        for r in range(free.shape[1]):
            free[machine, r] -= demand[r]
        task[number, 0], task[number, 1], task[number, 2] = machine, 1, times[number]
        hole = number
        while hole > 0 and heap[(hole - 1) >> 1] > times[number]:
            heap[hole] = heap[(hole - 1) >> 1]
            hole = (hole - 1) >> 1
        heap[hole] = times[number]
    return len(times)


@_compiled
def _complete(heap: Any, free: Any, demand: Any, task: Any) -> int:
    """Take the next end from among a thousand, give resources back, mark the task as done."""
    size = len(heap)
    for number in range(len(heap)):
        size -= 1
        last, hole = heap[size], 0
        while 2 * hole + 1 < size:
            child = 2 * hole + 1
            if child + 1 < size and heap[child + 1] < heap[child]:
                child += 1
            if heap[child] >= last:
                break
            heap[hole] = heap[child]
            hole = child
        heap[hole] = last
        for r in range(free.shape[1]):
            free[number % free.shape[0], r] += demand[r]
        task[number, 1] = 2
    return len(task)


def measure() -> dict[str, float]:
    """Nanoseconds of one operation of each kind."""
    draw = np.random.default_rng(1)
    found, scratch, order = (np.zeros(_ROWS + 1, np.int64) for _ in range(3))
    keys, free = draw.random((_INPUTS, _ROWS)), draw.integers(0, 64_000, (_INPUTS, _ROWS, 2))
    places = draw.permuted(np.tile(np.arange(_ROWS), (_INPUTS, 1)), axis=1)
    waits_for, offers = draw.integers(0, 2, (_INPUTS, _ROWS)), draw.integers(0, 1 << 21, (_INPUTS, _ROWS))
    times = draw.integers(0, 10**9, (_INPUTS, _ROWS))
    demand, part, task = np.array([16_000, 8_000]), np.array([1e-5, 2e-5]), np.zeros((_ROWS, 8), np.int64)
    heap, ends = np.zeros(_ROWS, np.int64), np.sort(times, axis=1)
    kinds: dict[str, Callable[[int], int]] = {
        "compare and move (sort)": lambda n: _sort(keys[n], order[:_ROWS], scratch[:_ROWS]),
        "move (shuffle)": lambda n: _shuffle(order[:_ROWS], places[n]),
        "look at a task": lambda n: _eligible(waits_for[n], places[n], found),
        "go through": lambda n: _go_through(places[n], found),
        "look at properties": lambda n: _by_properties(offers[n], 5, found),
        "look at room": lambda n: _by_room(free[n], demand, found),
        "score": lambda n: _best(free[n], demand, part, found),
        "submit": lambda n: _submit(times[n], free[n], demand, task, heap),
        "complete": lambda n: _complete(ends[n], free[n], demand, task),
    }
    return {name: _middle(run) for name, run in kinds.items()}


def _middle(run: Callable[[int], int]) -> float:
    """Return the median over inputs that the processor's prediction has not seen before."""
    run(0)
    taken = []
    for number in range(1, _INPUTS):
        started = time.perf_counter_ns()
        operations = run(number)
        taken.append((time.perf_counter_ns() - started) / operations)
    return float(np.median(taken))


if __name__ == "__main__":
    for name, cost_ns in measure().items():
        print(f"{name:26} {cost_ns:8.2f} ns")
