"""Packing for a job whose turn it is: of its tasks and machines, the pair that is aligned best (Tetris' measure)."""

from __future__ import annotations

from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NOBODY, Ints, Records, World
from scheduler_core.schedulers.dag.state import DagState


@inner
def alignment_on(w: World, s: DagState, machine: int, stage: int) -> float:
    """What a task is thought to take times what a machine has free, as parts of the machine, summed over resources."""
    total = 0.0
    for r in range(w.free.shape[1]):
        capacity = w.capacity[machine, r]
        if capacity > 0:
            total += (s.asked[stage, r] / capacity) * (w.free[machine, r] / capacity)
    return total


@inner
def urgency(s: DagState, stage: int) -> float:
    """1, or with an order of a job's stages less for those behind its first open one."""
    if s.rules[0].in_place == 0:
        return 1.0
    row = s.stage[stage]
    job = s.job[row.job]
    behind = max(row.place - s.stage[job.first_open].place, 0)
    return float(1.0 - behind / job.stages)


@inner
def best_of_job(w: World, s: DagState, job: int, must: bool) -> tuple[int, int]:
    """The open stage and the machine that are aligned best, the first of equal ones; with `must` of what is due.

    In plans by DAGPS' order stages that come later in it weigh less. No machine with a stage that fits nowhere;
    no stage when nothing of the job is left to try.
    """
    best, where, score = NOBODY, NOBODY, -1.0
    stage: int = s.job[job].first_open
    while stage != NOBODY:
        row = s.stage[stage]
        if s.failed[row.demand] != s.rules[0].tries and not (must and row.started >= row.due):
            machine, found = _search(
                s.room, w.machine, w.demand, row.demand, w.asks[row.demand], w.capacity, s.asked, stage, s.least,
                urgency(s, stage), score,
            )  # fmt: skip
            if machine != NOBODY:
                best, where, score = stage, machine, found
            elif best == NOBODY:
                return stage, NOBODY
        stage = row.next_open
    return best, where


@called
def _search(
    room: Ints,
    machines: Records,
    demands: Ints,
    demand: int,
    asks: int,
    capacity: Ints,
    asked: Ints,
    stage: int,
    least: Ints,
    weight: float,
    above: float,
) -> tuple[int, float]:
    """The first machine with room on which a task is aligned best, if by `weight` better than `above`; and how well.

    Walks the tree of what is free (engine.rooms) and passes over what lies below a node that cannot be better: no
    machine there has more free, or makes more of it, than the smallest machine would with the most that is free.
    """
    leaves, node, best = room.shape[0] >> 1, 1, NOBODY
    while True:
        holds, bound = True, 0.0
        for r in range(room.shape[1]):
            if room[node, r] < demands[demand, r]:
                holds = False
            elif least[r] > 0:
                bound += (asked[stage, r] / least[r]) * (room[node, r] / least[r])
        if holds and weight * bound > above:
            if node < leaves:
                node = 2 * node
                continue
            machine, score = node - leaves, 0.0
            for r in range(room.shape[1]):
                if capacity[machine, r] > 0:
                    score += (asked[stage, r] / capacity[machine, r]) * (room[node, r] / capacity[machine, r])
            if weight * score > above and (machines[machine].offers & asks) == asks:
                best, above = machine, weight * score
        while node & 1 == 1:
            node >>= 1
        if node == 0:
            return best, above
        node += 1
