"""The CRV monitor: demand over supply of each constraint, the load, and the workers that reorder by it."""

from __future__ import annotations

from scheduler_core.engine.events import nothing_comes, schedule
from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.engine.tasks import decide, touch
from scheduler_core.schedulers.probing.eagle.state import SCARCEST
from scheduler_core.schedulers.probing.phoenix.reasons import SWITCHED_OFF, SWITCHED_ON
from scheduler_core.schedulers.probing.phoenix.state import MILLION, TICK, PhoenixState
from scheduler_core.schedulers.probing.phoenix.waits import expected_wait_s
from scheduler_core.schedulers.shared.probing.state import LANE_ANSWER

_SHARE_BITS = 32


@inner
def keep_ticking(w: World, s: PhoenixState) -> None:
    """Keep the monitor ticking after a job's arrival, from now on or at its next turn."""
    rules, now_ns = s.rules[0], w.control[0].now_ns
    if rules.ticking == 1:
        return
    if rules.first_ns < 0:
        rules.first_ns = now_ns
    turns = (now_ns - rules.first_ns + rules.interval_ns - 1) // rules.interval_ns
    rules.ticking = 1
    schedule(w, rules.first_ns + turns * rules.interval_ns, TICK, 0, 0)


@inner
def on_tick(w: World, s: PhoenixState) -> None:
    """Compute load and ratios; tick again unless nothing runs or waits."""
    control, rules = w.control[0], s.rules[0]
    load = _load(w, s)
    on = 1 if load > rules.load_limit else 0
    if on != rules.on:
        rules.on = on
        rules.switches += 1
        decide(w, NOBODY, NOBODY, SWITCHED_ON if on == 1 else SWITCHED_OFF, NOBODY, NOBODY, 0, load << _SHARE_BITS)
    if rules.fork == 0:
        for c in range(s.ratio.shape[0]):
            s.ratio[c] = s.constraint[c].demand * MILLION // max(1, s.constraint[c].supply)
    waits = control.tasks_waiting > 0 and not nothing_comes(w)
    rules.ticking = 1 if control.tasks_running > 0 or waits else 0
    if rules.ticking == 1:
        schedule(w, control.now_ns + rules.interval_ns, TICK, 0, 0)


@inner
def _load(w: World, s: PhoenixState) -> int:
    """Return how much of the datacenter is in use, in millionths; in the public program busy workers, in whole percent.

    There each runs one task or waits for one answer.
    """
    most = 0
    if s.rules[0].fork == 1:
        busy = w.control[0].tasks_running + w.lane[LANE_ANSWER].tail - w.lane[LANE_ANSWER].head
        percent: int = busy * 100 // s.worker.shape[0]
        return percent * (MILLION // 100)
    for r in range(w.used.shape[0]):
        if s.total[r] > 0:
            most = max(most, int(w.used[r] / s.total[r] * MILLION))
    return most


@inner
def choose_order(w: World, s: PhoenixState, worker: int) -> None:
    """Choose the order in which the worker serves its queue now.

    Source: Phoenix, Section I (reordering by CRV).
    """
    rules, order = s.rules[0], s.rules[0].base_order
    if rules.on == 1 or (rules.fork == 0 and expected_wait_s(s, worker) > rules.wait_limit_s):
        order = SCARCEST
    if s.worker[worker].order != order:
        rules.scarcest_first += 1 if order == SCARCEST else -1
        s.worker[worker].order = order
        touch(w, worker)
