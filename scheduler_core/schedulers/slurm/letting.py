"""Let jobs go that wait for others: at the end of a job, at its start, or some time after its start.

Source: Slurm's documentation, sbatch: --dependency.
"""

from __future__ import annotations

from scheduler_core.engine.events import schedule
from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.engine.tasks import decide
from scheduler_core.schedulers.slurm.launching import ask
from scheduler_core.schedulers.slurm.reasons import DEPENDENCY, DEPENDENCY_NEVER
from scheduler_core.schedulers.slurm.state import BEGAN, ENDED, NEVER, READY, SlurmState
from scheduler_core.schedulers.slurm.waiting import enter, speaker


@inner
def hold_back(w: World, s: SlurmState, u: int) -> None:
    """Note that a job waits for others."""
    needs = s.unit[u].needs
    reason = DEPENDENCY_NEVER if needs >= NEVER else DEPENDENCY
    decide(w, speaker(w, s, u), NOBODY, reason, NOBODY, NOBODY, 0 if needs >= NEVER else needs, 0)


@called
def let_go(w: World, s: SlurmState, u: int) -> None:
    """Count one condition of a job as met; it waits for room once all are."""
    it = s.unit[u]
    it.needs -= 1
    if it.needs == 0 and it.waiting > 0:
        it.ready_ns = w.control[0].now_ns
        enter(w, s, u)
        ask(w, s)


@inner
def complete(s: SlurmState, link: int) -> bool:
    """Count one more job of the group in a link; returns True for the group's last one."""
    row = s.group[-1 - link]
    row.left -= 1
    return bool(row.left == 0)


@called
def end_job(w: World, s: SlurmState, number: int) -> None:
    """Let the jobs go that wait for a job's end, or for the end of a group with this job as its last."""
    for k in range(s.link_first[number], s.link_first[number + 1]):
        if s.link[k].what != ENDED:
            break
        u = s.link[k].unit
        if u >= 0:
            let_go(w, s, u)
        elif complete(s, u):
            other = len(w.job) - 1 - u
            for i in range(s.link_first[other], s.link_first[other + 1]):
                let_go(w, s, s.link[i].unit)


@called
def begin_unit(w: World, s: SlurmState, u: int) -> None:
    """Note that a unit has started; with the last one of its job, let the jobs go that wait for the job's start."""
    it = s.unit[u]
    if it.begun == 1:
        return
    it.begun = 1
    s.unbegun[it.job] -= 1
    if s.unbegun[it.job] == 0:
        s.began_ns[it.job] = w.control[0].now_ns
        follow(w, s, it.job, s.link_first[it.job])


@called
def begin_link(w: World, s: SlurmState, number: int, k: int) -> None:
    """Process a link at a job's or group's start, and schedule the next one."""
    u = s.link[k].unit
    if u >= 0:
        let_go(w, s, u)
    else:
        other = len(w.job) - 1 - u
        s.began_ns[other] = max(s.began_ns[other], s.began_ns[number])
        if complete(s, u):
            follow(w, s, other, s.link_first[other])
    follow(w, s, number, k + 1)


@called
def follow(w: World, s: SlurmState, number: int, k: int) -> None:
    """Schedule the next job, from a place among a job's links on, that waits for the job's start."""
    while k < s.link_first[number + 1] and s.link[k].what != BEGAN:
        k += 1
    if k < s.link_first[number + 1]:
        schedule(w, max(s.began_ns[number] + s.link[k].delay_ns, w.control[0].now_ns), READY, number, k)
