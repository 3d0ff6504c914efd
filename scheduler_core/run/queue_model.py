"""A model of the queue without a scheduler: first in, first out, on identical slots.

The model is G/G/c with the run's own arrivals and durations (Kiefer and Wolfowitz, 1955). It takes a few milliseconds
where the run takes seconds, and shows the effect of the load alone on the waits.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.jit import kernel

Floats = npt.NDArray[np.float64]


def starts_in_order(arrival: Floats, service: Floats, free: Floats, gap: float = 0.0) -> Floats:
    """Return when each task starts, in order of arrival, on slots that are free from the times `free` on.

    `gap` is the least time between two starts, for a scheduler that decides no faster. All times have the same unit.
    """
    starts = np.empty(len(arrival))
    # Numba compiles the kernel for one layout.
    _serve(np.ascontiguousarray(arrival), np.ascontiguousarray(service), np.sort(free), gap, starts)
    return starts


@kernel
def _serve(arrival: Floats, service: Floats, heap: Floats, gap: float, starts: Floats) -> None:
    """Assign each task the slot that is free first; `heap` holds the times at which slots become free."""
    slots = len(heap)
    before = -np.inf
    for task in range(len(arrival)):
        start = max(arrival[task], heap[0], before + gap)
        before = start
        starts[task] = start
        free = start + service[task]
        place = 0
        while 2 * place + 1 < slots:
            child = 2 * place + 1
            if child + 1 < slots and heap[child + 1] < heap[child]:
                child += 1
            if heap[child] >= free:
                break
            heap[place] = heap[child]
            place = child
        heap[place] = free
