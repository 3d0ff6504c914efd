"""The track of a run: the history of all its tasks, or of those on some machines in an interval.

Of a finished run it is read from its files; of one that is computed its worker tells it, between two slices.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

import msgpack

import scheduler_core
from playground.errors import PlaygroundError, problem
from playground.models import Run, RunState
from playground.questions import answering, asking
from playground.questions.asking import Told
from playground.questions.kinds import Kind
from playground.runs.results.files import open_recording, open_tasks_table
from playground.web.reasons import moments_told
from scheduler_core import RecordingReader

if TYPE_CHECKING:
    from scheduler_core import Simulation, Window

_WAIT_S = 2.0
_LONGEST_NS = 10**18
#: The same question within two seconds gets the same answer.
KIND = Kind("track", place="run", waits_s=10, kept_s=2)


def ask_for_track(
    *, run: Run, from_s: float | None, until_s: float | None, first: int | None, machines: int | None
) -> Told | None:
    """Ask the worker that computes a run for its track so far; None for a run that is not computed."""
    if run.state != RunState.RUNNING:
        return None
    return asking.ask(KIND, run.public_id, {"from_s": from_s, "until_s": until_s, "first": first, "machines": machines})


async def wait_for_track(told: Told) -> bytes | None:
    """Return the worker's answer; None when it gives none for a while."""
    answer = (await asking.wait(told, _WAIT_S)).answer
    return None if answer is None else base64.b64decode(answer["track"])


def finished_track(
    *, run: Run, from_s: float | None, until_s: float | None, first: int | None, machines: int | None
) -> bytes:
    """Return the track of a finished run, or a window of it, as MessagePack. Raises PlaygroundError."""
    import pyarrow.parquet as pq

    with open_recording(run=run) as file, open_tasks_table(run=run) as tasks:
        reader = RecordingReader(file)  # type: ignore[arg-type]
        if "work" not in reader.meta:
            item = problem("", "its recording is of an earlier version", remedy="run the experiment again")
            raise PlaygroundError(404, "no-track", "This run has no track", (item,))
        window = _window(reader.meta["machines"], from_s, until_s, first, machines)
        if window is None and (kept := reader.packed_track()) is not None:
            return kept
        packed: bytes = msgpack.packb(scheduler_core.recorded_track(reader, pq.ParquetFile(tasks), window))
    return packed


def moments_of(*, run: Run) -> dict[str, Any]:
    """Return the most instructive moments of a finished run. Raises PlaygroundError."""
    with open_recording(run=run) as file:
        return {"moments": moments_told(RecordingReader(file).moments())}  # type: ignore[arg-type]


def answer_questions(*, run_id: str, simulation: Simulation) -> None:
    """Answer requests for the track so far of a run that this worker computes."""

    def find(asked: dict[str, Any]) -> dict[str, Any]:
        window = _window(simulation.cluster.machines, **asked) or scheduler_core.Window(0, simulation.now_ns, 0, 10**9)
        return {"track": base64.b64encode(msgpack.packb(scheduler_core.RunView(simulation).track(window))).decode()}

    answering.answer_inbox(run_id=run_id, kind=KIND, find=find)


def _window(
    of_all: int, from_s: float | None, until_s: float | None, first: int | None, machines: int | None
) -> Window | None:
    if from_s is None and until_s is None and first is None and machines is None:
        return None
    until_ns = _LONGEST_NS if until_s is None else round(until_s * 1e9)
    return scheduler_core.Window(
        round((from_s or 0) * 1e9), until_ns, first or 0, of_all if machines is None else machines
    )
