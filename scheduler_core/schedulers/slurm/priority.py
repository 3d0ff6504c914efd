"""Multifactor priority: age, fair share, size, partition and quality of service of each job.

Source: Slurm's documentation, Multifactor Priority Plugin, Classic Fairshare, Fair Tree.
"""

from __future__ import annotations

from scheduler_core.engine import maths
from scheduler_core.engine.events import schedule
from scheduler_core.engine.jit import called, inner, kernel
from scheduler_core.engine.records import World
from scheduler_core.schedulers.slurm.state import CALCULATE, SlurmState

_LN2 = 0.6931471805599453
_MOST = 4294967295.0
"""Priorities are whole numbers of 32 bits; 0 is for jobs that are held."""


@kernel
def age_factor(waited_ns: float, max_age_ns: float) -> float:
    """Return the age factor: the wait as a part of PriorityMaxAge, at most 1."""
    if max_age_ns <= 0.0:
        return 1.0
    return min(waited_ns / max_age_ns, 1.0)


@kernel
def classic_factor(usage: float, share: float) -> float:
    """Return 2 ** -(usage / share), both as parts of the whole."""
    if share <= 0.0:
        return 0.0
    return maths.exp(-_LN2 * usage / share)


@kernel
def decayed(usage: float, passed_ns: float, half_life_ns: float) -> float:
    """Return what is left of a usage after some time; a half-life of 0 means no decay."""
    if half_life_ns <= 0.0:
        return usage
    return usage * maths.exp(-_LN2 * passed_ns / half_life_ns)


@inner
def accrue(w: World, s: SlurmState, a: int, more: float) -> None:
    """Count the CPU seconds of an account up to now, then change the CPUs that it holds."""
    it, now_ns = s.account[a], w.control[0].now_ns
    it.fresh += it.held * (now_ns - it.since_ns) * 1e-12
    it.since_ns = now_ns
    it.held += more


@called
def calculate(w: World, s: SlurmState) -> None:
    """Move fresh usage into the decayed usage, then calculate the fair-share factors of all accounts."""
    rules, whole, now_ns = s.rules[0], 0.0, w.control[0].now_ns
    passed_ns = float(now_ns - rules.last_tick_ns)
    rules.last_tick_ns = now_ns
    for a in range(len(s.account)):
        accrue(w, s, a, 0.0)
        it = s.account[a]
        it.usage = decayed(it.usage + it.fresh, passed_ns, rules.half_life_ns)
        it.fresh = 0.0
        whole += it.usage
    for a in range(len(s.account)):
        it = s.account[a]
        if rules.fair_tree == 1:
            it.factor = _rank(s, a)
        else:
            it.factor = classic_factor(it.usage / whole if whole > 0.0 else 0.0, it.share)


@inner
def _rank(s: SlurmState, a: int) -> float:
    """Return the part of the accounts whose share over usage is not better than this one's; no usage is best."""
    better, mine = 0, s.account[a]
    for b in range(len(s.account)):
        other = s.account[b]
        if other.share * mine.usage > mine.share * other.usage:
            better += 1
    return float(len(s.account) - better) / len(s.account)


@inner
def set_priority(w: World, s: SlurmState, u: int) -> None:
    """Calculate the priority of a job that waits."""
    rules, it = s.rules[0], s.unit[u]
    waited_ns = float(w.control[0].now_ns - it.ready_ns)
    found = rules.weight_age * age_factor(waited_ns, rules.max_age_ns) + rules.weight_qos * it.qos_factor
    found += rules.weight_fair * s.account[it.account].factor + rules.weight_partition * it.partition_factor
    found += rules.weight_size * (it.size_small if rules.favor_small == 1 else it.size_large)
    it.priority = int(min(max(found, 1.0), _MOST))


@inner
def tick_later(w: World, s: SlurmState) -> None:
    """Schedule the next calculation, if priorities change with time and something is still to come."""
    rules, control = s.rules[0], w.control[0]
    if rules.ticking == 1 or (rules.weight_age == 0.0 and rules.weight_fair == 0.0):
        return
    if control.tasks_running > 0 or control.next_job < w.job.shape[0] or control.incidents_left > 0:
        rules.ticking = 1
        period_ns = rules.period_ns
        schedule(w, (control.now_ns // period_ns + 1) * period_ns, CALCULATE, 0, 0)
