"""Notes on the probes of one job, or on the path of one task, to explain why a task runs where it does.

Notes are rows of the log with codes of their own. They are written only while a task is watched (run.driver,
`watch_task`), so a run without a watched task only makes one comparison for each. Their sentences are in
scheduler_core.explanation.probes and sendings.
"""

from __future__ import annotations

from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NOBODY, Records, World
from scheduler_core.schedulers.shared.probing import FIRST_NOTE
from scheduler_core.schedulers.shared.probing.state import Probing

# x of ARRIVED and ANSWERED: entries in front; of GIVEN: the task.
ARRIVED, SERVED, ANSWERED, ASKED, GIVEN, IN_VAIN, REFUSED, TAKEN, CALLED_BACK, DROPPED = range(
    FIRST_NOTE, FIRST_NOTE + 10
)
# Of a task that goes by itself. x of COMPARED: the expected wait, NEVER where the scheduler believes that the queue is
# full; of REMEMBERED: how old the news of room there is; of ARRIVED: NOBODY where it waits beside the queue.
COMPARED, REMEMBERED, SENT = range(DROPPED + 1, DROPPED + 4)


@inner
def note(w: World, s: Probing, probe: int, worker: int, what: int, x: int) -> None:
    """Record a step of a probe of the watched task's group; a task sent without probes records only its own steps."""
    watched = w.control[0].watched_task
    if watched < 0:
        return
    it = s.probe[probe]
    mine = w.task[watched].kind == it.group and s.group[it.group].long == 0
    if mine and (what > SERVED or it.task < 0 or it.task == watched):
        _write(w.log, w.control, probe, worker, what, x)


@inner
def note_sent(w: World, task: int, worker: int, what: int, x: int) -> None:
    """Record a worker that was considered for the watched task or received it, and the result there."""
    if w.control[0].watched_task == task:
        _write(w.log, w.control, NOBODY, worker, what, x)


@called
def _write(log: Records, control: Records, probe: int, worker: int, what: int, x: int) -> None:
    """Add a row, where half of the log is left: a step of the loop may write more notes than decisions."""
    at = control[0].log_size
    if 2 * at >= log.shape[0]:
        return
    control[0].log_size = at + 1
    row = log[at]
    row.t_ns = control[0].now_ns
    row.task = control[0].watched_task
    row.machine = worker
    row.reason = what
    row.frm = probe
    row.to = NOBODY
    row.count = 1
    row.x = x
    row.y = 0
