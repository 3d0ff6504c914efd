"""Buffers of a scheduler's state that grow one by one, and how to enlarge each before the first event.

In mid-run a scheduler sees which of its buffers is full. Before the first event none is, so `grow` cannot choose.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from scheduler_core.engine.compile_progress import kernel_name
from scheduler_core.engine.records import records
from scheduler_core.run.driver import Simulation
from scheduler_core.schedulers.shared.probing.packing import grow_probes

PROBE = "probe"
SEVERAL: dict[str, tuple[str, ...]] = {
    "schedulers/probing/eagle/kernel.py:advance": (PROBE, "entry", "flip"),
    "schedulers/probing/phoenix/kernel.py:advance": (PROBE, "entry", "flip"),
}
"""The arrays of the state that grow one by one, by event loop. Every other loop has one buffer, or none."""


def lengths(simulation: Simulation) -> dict[str, int]:
    """Return the length of each buffer of a prepared run that grows by itself; none where one buffer grows."""
    kernel, _ = simulation.event_loop()
    names = SEVERAL.get(kernel_name(kernel.native.py_func), ())
    return {name: len(getattr(simulation.state, name)) for name in names}


def lengthened(state: Any, wanted: Mapping[str, int]) -> Any:
    """Return a packed state whose buffers have at least the wanted lengths."""
    for name, length in wanted.items():
        old = getattr(state, name)
        if length <= len(old):
            continue
        if name == PROBE:  # its rows are a list of free ones
            state = grow_probes(state, length)
            continue
        more = np.zeros(length, old.dtype) if old.dtype.names is None else records(length, old.dtype)
        more[: len(old)] = old
        state = state._replace(**{name: more})
    return state
