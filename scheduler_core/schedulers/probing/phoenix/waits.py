"""A worker's estimate of its wait time: an M/G/1 queue with observed arrivals and service times.

Every entry that joins the queue counts as an arrival: a probe, a long task, a probe that waits again. Each is one
service, as long as it kept the worker busy. A request that found no task counts two messages; a dropped probe counts no
time.
"""

from __future__ import annotations

from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import World
from scheduler_core.schedulers.probing.phoenix.state import PhoenixState
from scheduler_core.schedulers.shared.probing.central import WHOLE, share_of

_NS = 1e-9
_ENDLESS_S = 1e9  # no threshold is higher


@inner
def arrived(w: World, s: PhoenixState, worker: int) -> None:
    """Count an arrival at the worker's queue."""
    it, now_ns = s.sample[worker], w.control[0].now_ns
    if it.arrivals > 0:
        gap_s = (now_ns - it.last_ns) * _NS
        it.gap_s += (gap_s - it.gap_s) / min(it.arrivals, s.rules[0].memory)
    it.arrivals += 1
    it.last_ns = now_ns


@inner
def served(w: World, s: PhoenixState, worker: int, demand: int, busy_ns: int) -> None:
    """Update the worker's means with the time for which a task kept it busy, by the part that it uses."""
    it = s.sample[worker]
    service_s = busy_ns * share_of(w, s, worker, demand) / WHOLE * _NS
    it.served += 1
    part = 1.0 / min(it.served, s.rules[0].memory)
    it.service_s += (service_s - it.service_s) * part
    it.square_s2 += (service_s * service_s - it.square_s2) * part


@inner
def expected_wait_s(s: PhoenixState, worker: int) -> float:
    """Return Pollaczek and Khinchine's mean wait; infinite under overload, 0 before anything is known.

    Source: Phoenix, Section I (M/G/1 queuing model).
    """
    it = s.sample[worker]
    if it.arrivals < 2 or it.served == 0:
        return 0.0
    if it.service_s >= it.gap_s:
        return _ENDLESS_S
    return float(it.square_s2 / (2.0 * (it.gap_s - it.service_s)))
