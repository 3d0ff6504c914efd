"""R6 and R7: compute the wanted number of machines, lease missing ones, and return idle ones."""

from __future__ import annotations

from scheduler_core.engine.events import schedule
from scheduler_core.engine.incidents import restore, withhold
from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.engine.tasks import decide, touch
from scheduler_core.schedulers.pipeline.choosing import update_room
from scheduler_core.schedulers.pipeline.codes import (
    COMING,
    IDLE,
    IN,
    LEASED,
    NOT_LEASED,
    OUT,
    R6,
    R7,
    SCALE,
    SCALING,
    SCHEDULED,
    TOKENS,
)
from scheduler_core.schedulers.pipeline.lines import open_lines_again
from scheduler_core.schedulers.pipeline.reasons import GIVEN_BACK, LEASE_ASKED
from scheduler_core.schedulers.pipeline.state import PipelineState


@called
def begin_scaling(w: World, s: PipelineState) -> None:
    """Decide the number of machines (R7); they are leased or returned one by one."""
    rules, machines = s.rules[0], w.free.shape[0]
    wanted = _late(w, s, machines) if rules.r7 == SCHEDULED else _busy(w, s) + _wanted(w, s, machines)
    if rules.eligible > 0 and rules.placed == 0 and wanted <= rules.pool and rules.r7 != SCHEDULED:
        wanted = rules.pool + 1  # the pool cannot run the waiting task, whatever its size
    rules.target = min(max(wanted, rules.r7_least), machines)
    s.stage[R7].calls += 1
    rules.scale_at = 0 if rules.target > rules.pool else machines - 1
    rules.phase = SCALING if rules.target != rules.pool else IDLE


@inner
def _late(w: World, s: PipelineState, machines: int) -> int:
    """Return all machines in the second half of a period, else the least; asks to be woken when that changes."""
    rules, now_ns = s.rules[0], w.control[0].now_ns
    s.stage[R7].operations += 1
    half_ns = rules.r7_period_ns // 2
    return machines if now_ns // half_ns % 2 == 1 else int(rules.r7_least)


@inner
def _busy(w: World, s: PipelineState) -> int:
    busy = 0
    for machine in range(w.free.shape[0]):
        if s.lease[machine] == IN and w.machine[machine].running > 0:
            busy += 1
    return busy


@inner
def _wanted(w: World, s: PipelineState, machines: int) -> int:
    """Return how many machines of the mean size eligible tasks would fill, and with tokens those that follow them."""
    rules, amount = s.rules[0], 0
    for at in range(rules.lines):
        line = s.line[s.live[at]]
        amount += line.count * w.demand[line.demand, 0]
    s.stage[R7].operations += rules.lines
    if rules.r7 == TOKENS:
        for number in range(s.node.shape[0]):
            node = s.node[number]
            if node.waits_for == 1 and node.hopeless == 0 and s.job[node.job].inside == 1:
                task = s.task_order[node.first]
                amount += node.left * w.demand[w.task[task].demand, 0]
        s.stage[R7].operations += s.node.shape[0]
    size = max(s.total[0] // machines, 1)
    return int(-(-amount // size))


@called
def scale_turn(w: World, s: PipelineState) -> None:
    """Lease the next machine, or return it if it idles."""
    rules, machine = s.rules[0], s.rules[0].scale_at
    grows = rules.target > rules.pool
    if rules.target == rules.pool or machine < 0 or machine == w.free.shape[0]:
        rules.phase = IDLE
        return
    rules.scale_at += 1 if grows else -1
    if grows and s.lease[machine] == OUT:
        _count_seconds(w, s, 1)
        s.lease[machine] = COMING
        rules.leases += 1
        schedule(w, w.control[0].now_ns + rules.r6_delay_ns, LEASED, machine, 0)
        touch(w, machine)
        if rules.lines > 0:
            line = s.line[s.live[0]]
            decide(w, s.entry[line.first].task, machine, LEASE_ASKED, NOBODY, NOBODY, rules.pool, rules.target)
    elif not grows and s.lease[machine] == IN and w.machine[machine].running == 0 and machine >= rules.r7_least:
        _count_seconds(w, s, -1)
        s.lease[machine] = OUT
        rules.releases += 1
        withhold(w, machine, NOT_LEASED)
        if s.last_on[machine] != NOBODY:
            decide(w, s.last_on[machine], machine, GIVEN_BACK, NOBODY, NOBODY, rules.pool, rules.target)
        update_room(w, s, machine)


@inner
def _count_seconds(w: World, s: PipelineState, more: int) -> None:
    """Charge the pool's cost until now, and grow or shrink it by one."""
    rules, now_ns = s.rules[0], w.control[0].now_ns
    rules.machine_s += rules.pool * (now_ns - rules.pool_ns) / 1e9
    rules.pool_ns = now_ns
    rules.pool += more
    s.stage[R6].calls += 1
    s.stage[R6].operations += 1


@called
def on_leased(w: World, s: PipelineState, machine: int) -> None:
    """Add a leased machine to the pool."""
    s.lease[machine] = IN
    if restore(w, machine, NOT_LEASED):
        update_room(w, s, machine)
        open_lines_again(w, s, machine)


@inner
def wake_to_scale(w: World, s: PipelineState) -> None:
    """Look again when the next half of the period begins."""
    half_ns = s.rules[0].r7_period_ns // 2
    schedule(w, (w.control[0].now_ns // half_ns + 1) * half_ns, SCALE, 0, 0)
