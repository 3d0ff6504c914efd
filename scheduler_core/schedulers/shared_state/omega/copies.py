"""The schedulers' copies of the cell state: made at the start of a transaction, searched, and stale by its end."""

from __future__ import annotations

from scheduler_core.engine import rng
from scheduler_core.engine.bits import flip_bit, has_bit, next_common_bit
from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.schedulers.shared_state.omega.state import OmegaState


@inner
def note_change(s: OmegaState, machine: int) -> None:
    """Mark the machine as changed, for every scheduler's next copy."""
    for who in range(s.scheduler.shape[0]):
        _note(s, who, machine)


@inner
def _note(s: OmegaState, who: int, machine: int) -> None:
    if s.stale[who, machine] == 0:
        s.stale[who, machine] = 1
        s.changed[who, s.scheduler[who].changed] = machine
        s.scheduler[who].changed += 1


@inner
def make_copy(w: World, s: OmegaState, who: int) -> None:
    """Copy the present truth for the scheduler."""
    me = s.scheduler[who]
    for number in range(me.changed):
        machine = s.changed[who, number]
        s.stale[who, machine] = 0
        s.seen[who, machine] = s.machine[machine].sequence
        for r in range(w.free.shape[1]):
            s.copied[who, machine, r] = w.free[machine, r]
        keep_candidate(w, s, who, machine)
    me.changed = 0
    me.copied_ns = w.control[0].now_ns
    me.copied_freed = s.rules[0].freed
    me.alone = 1 if w.control[0].tasks_running == 0 else 0


@inner
def spend(w: World, s: OmegaState, who: int, machine: int, demand: int) -> None:
    """Deduct one more task from the machine, in the copy only."""
    for r in range(w.free.shape[1]):
        s.copied[who, machine, r] -= w.demand[demand, r]
    _note(s, who, machine)
    keep_candidate(w, s, who, machine)


@inner
def keep_candidate(w: World, s: OmegaState, who: int, machine: int) -> None:
    """Keep the set of machines that can hold the smallest demand true to the copy."""
    able, smallest = True, w.demand.shape[0] - 1
    for r in range(w.free.shape[1]):
        if s.copied[who, machine, r] < w.demand[smallest, r]:
            able = False
    if able != has_bit(s.bits, who, machine >> 6, machine & 63):
        flip_bit(s.bits, who, machine >> 6, machine & 63)


@inner
def search(w: World, s: OmegaState, who: int, task: int) -> int:
    """Return the first machine with room for the task in the copy, from the search's start, or NOBODY."""
    machines, job = w.machine.shape[0], w.task[task].job
    start = 0
    if s.rules[0].spread == 1:
        start = rng.below(w.control[0].seed, rng.STREAM_CLAIM, task, s.job[job].draws, machines)
    found = _scan(w, s, who, w.task[task].demand, start, machines)
    if found == NOBODY and start > 0:
        found = _scan(w, s, who, w.task[task].demand, 0, start)
    return found


@inner
def _scan(w: World, s: OmegaState, who: int, demand: int, first: int, end: int) -> int:
    machine = first - 1
    while True:
        machine = next_common_bit(s.bits, who, 0, machine + 1, end, s.offer, w.asks[demand])
        if machine == NOBODY:
            return NOBODY
        room = True
        for r in range(w.free.shape[1]):
            if s.copied[who, machine, r] < w.demand[demand, r]:
                room = False
        if room:
            return machine
