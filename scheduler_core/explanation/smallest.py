"""Find the smallest single change that starts a task earlier, by replaying the experiment with each candidate.

A replay stops at the instant that it must beat. The result reports its limits: the number of tried candidates, how many
were not, and which of the two limits was met.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from scheduler_core.engine.records import NEVER, TASK_DONE, TASK_RUNNING
from scheduler_core.errors import ExperimentError
from scheduler_core.experiment import Experiment, ResolveTrace
from scheduler_core.explanation.candidates import KINDS, Candidate, candidates
from scheduler_core.explanation.sentences import sentences
from scheduler_core.limits import DEFAULT_LIMITS, Limits
from scheduler_core.run.built import KeptBuilds
from scheduler_core.run.driver import Simulation
from scheduler_core.run.moments import KeptMoments
from scheduler_core.run.telling import duration, instant

MOST_CANDIDATES = 24
MOST_S = 20.0
LEAST_GAIN = 0.001
"""Smallest gain that counts, as a share of the wait to beat: a wait reads the same in three digits without it."""
Told = Callable[[float], None]
"""Hears how far it is, 0 to 1; what it raises stops the search."""


class _Late(Exception):
    """The time allowed is over."""


class _Enough(Exception):
    """The wait is over."""


@dataclass
class _Search:
    experiment: Experiment
    task: int
    most_s: float
    told: Told | None
    options: dict[str, Any]
    began: float = field(default_factory=time.monotonic)
    progress: float = 0.0

    def is_late(self) -> bool:
        return time.monotonic() - self.began > self.most_s

    def on_slice(self, _simulation: Simulation) -> None:
        if self.told is not None:
            self.told(self.progress)
        if self.is_late():
            raise _Late


def smallest_change(
    experiment: Experiment,
    task: int,
    t_s: float | None = None,
    *,
    most_candidates: int = MOST_CANDIDATES,
    most_s: float = MOST_S,
    told: Told | None = None,
    resolve_trace: ResolveTrace | None = None,
    limits: Limits = DEFAULT_LIMITS,
    builds: KeptBuilds | None = None,
    moments: KeptMoments | None = None,
) -> dict[str, Any]:
    """Replay the run with one small change after the other; return the smallest change of each kind that helps.

    A change helps a task that waits at `t_s` (None: that waited at all) if the task first starts earlier. It helps a
    task that lost its machine before if the task's last attempt starts earlier. A gain below `LEAST_GAIN` of the wait
    does not count. The result is {task, start_s, goal, helps: [{kind, text, sentence, start_s, earlier_s, experiment}],
    tried, left, over, sentence}; `helps` has the largest gain first. `over` says why the search ended: `all` candidates
    tried, or the limit `count` or `time`.
    """
    options: dict[str, Any] = {
        "frames": 0, "watch_task": task, "resolve_trace": resolve_trace, "limits": limits,
        "builds": KeptBuilds() if builds is None else builds,
    }  # fmt: skip
    search = _Search(experiment, task, most_s, told, options)
    base = _base(search, t_s, KeptMoments(most_bytes=0) if moments is None else moments)
    if base is None:
        return _found(task, None, "start", [], 0, 0, "time")
    helps: list[dict[str, Any]] = []
    tried, slight_ns, over = 0, 0, "all"
    ways = candidates(base.simulation, task, base.asked_ns / 1e9, base.edits)
    for candidate in ways:
        if candidate.kind in {one["kind"] for one in helps}:
            continue  # a smaller one of its kind does
        if tried >= most_candidates or search.is_late():
            over = "time" if search.is_late() else "count"
            break
        search.progress = tried / most_candidates
        start_ns = _replay(search, candidate, base)
        if search.is_late() and start_ns is None:
            over = "time"
            break
        tried += 1
        if start_ns is not None and base.counts(start_ns):
            helps.append(_help(candidate, start_ns, base.start_ns))
        elif start_ns is not None:
            slight_ns = max(slight_ns, base.start_ns - start_ns)
    left = 0 if over == "all" else 1 + sum(1 for _ in ways)
    # All start the same task, so the earliest start is the largest gain.
    helps.sort(key=lambda one: (one["start_s"], KINDS.index(one["kind"])))
    slight = base.slight(slight_ns) if slight_ns else ""
    return _found(task, base.start_ns, base.goal, helps, tried, left, over, slight)


@dataclass
class _Base:
    """The run as it was: the start that a change has to beat (NEVER: none), until when that is worth looking for."""

    simulation: Simulation
    goal: str
    start_ns: int
    until_ns: int
    asked_ns: int
    edits: list[str]
    arrival_ns: int

    def counts(self, start_ns: int) -> bool:
        """Return whether an earlier start is a gain that a person can tell from none."""
        return self.start_ns - start_ns >= LEAST_GAIN * (self.start_ns - self.arrival_ns)

    def slight(self, gain_ns: int) -> str:
        """Return a clause about the largest gain that does not count."""
        wait = duration((self.start_ns - self.arrival_ns) / 1e9)
        return f": the largest gain is {duration(gain_ns / 1e9)} of a wait of {wait}"

    def is_met(self, row: Any) -> bool:
        """Return whether a replay knows when the task starts."""
        return bool(row.state == TASK_DONE if self.goal == "lasting" else row.attempts > 0)

    def start_of(self, row: Any) -> int | None:
        """Return when the task starts in a replay, if that is earlier."""
        if not self.is_met(row) or (self.goal == "lasting" and row.end_ns >= self.until_ns):
            return None
        start_ns = int(row.last_start_ns if self.goal == "lasting" else row.first_start_ns)
        return start_ns if start_ns < self.start_ns else None


def _base(search: _Search, t_s: float | None, moments: KeptMoments) -> _Base | None:
    """Simulate up to the start that a change has to beat; None when that takes too long."""
    asked_ns = NEVER - 1 if t_s is None else round(t_s * 1e9)
    traces_and_limits = {name: search.options[name] for name in ("resolve_trace", "limits")}
    try:
        simulation = moments.before(
            search.experiment, search.task, asked_ns, on_slice=search.on_slice, **traces_and_limits
        )
        stop_ns = min(simulation.stop_ns, NEVER - 1)

        def row() -> Any:
            return simulation.world.task[search.task]

        if t_s is not None:
            simulation.advance_to(asked_ns, search.on_slice)
        if t_s is not None and not _has_lost(row()):
            _advance_until(simulation, search, stop_ns, lambda: row().attempts > 0)
            lost = False
        else:
            _advance_until(simulation, search, stop_ns, lambda: row().state == TASK_DONE)
            lost = _has_lost(row())
    except _Late:
        return None
    never = row().attempts == 0 or (lost and row().state != TASK_DONE)
    start_ns = NEVER if never else int(row().last_start_ns if lost else row().first_start_ns)
    until_ns = stop_ns if never else int(row().end_ns) if lost else start_ns
    if t_s is None:
        asked_ns = min(until_ns, simulation.now_ns)
    edits = [path for one in reversed(sentences(simulation, search.task)) for path in one["edits"]]
    arrival_ns = int(simulation.world.job[row().job].arrival_ns)
    return _Base(simulation, "lasting" if lost else "start", start_ns, until_ns, asked_ns, edits, arrival_ns)


def _has_lost(row: Any) -> bool:
    """Return whether a task has stopped, or has lost its machine, since its first start."""
    return bool(row.attempts > 1 or (row.attempts == 1 and row.state not in (TASK_RUNNING, TASK_DONE)))


def _advance_until(simulation: Simulation, search: _Search, until_ns: int, met: Callable[[], bool]) -> None:
    """Simulate up to a time, or until something is so between two slices."""

    def on_slice(one: Simulation) -> None:
        search.on_slice(one)
        if met():
            raise _Enough

    with suppress(_Enough):
        simulation.advance_to(until_ns, on_slice)


def _replay(search: _Search, candidate: Candidate, base: _Base) -> int | None:
    """Return when the task starts with the change, if that is earlier; None when it does not help, or cannot be run."""
    try:
        changed = Experiment.parse(candidate.data, base_dir=search.experiment.base_dir, limits=search.options["limits"])
        simulation = Simulation(changed, spared=candidate.spared, **search.options)
        simulation.prepare()
        met = _Met(simulation, search.task, base)
        _advance_until(simulation, search, base.until_ns, met)
    except (ExperimentError, _Late):
        return None
    return base.start_of(simulation.world.task[search.task])


@dataclass
class _Met:
    simulation: Simulation
    task: int
    base: _Base

    def __call__(self) -> bool:
        return self.base.is_met(self.simulation.world.task[self.task])


def _help(candidate: Candidate, start_ns: int, base_ns: int) -> dict[str, Any]:
    earlier_s = None if base_ns == NEVER else (base_ns - start_ns) / 1e9
    gain = "instead of never" if earlier_s is None else f"{duration(earlier_s)} earlier"
    return {
        "kind": candidate.kind,
        "text": candidate.text,
        "start_s": start_ns / 1e9,
        "earlier_s": earlier_s,
        "sentence": f"{candidate.text}, the task starts at {instant(start_ns / 1e9)}, {gain}.",
        "experiment": None if candidate.spared is not None else candidate.data,
    }


def _none_of(tried: int, slight: str, bound: str) -> str:
    earlier = f"noticeably earlier{slight}" if slight else "earlier"
    if tried == 1:
        return f"The only change tried does not start the task {earlier}{bound}."
    return f"None of the {tried} single changes tried starts the task {earlier}{bound}."


def _found(
    task: int,
    start_ns: int | None,
    goal: str,
    helps: list[dict[str, Any]],
    tried: int,
    left: int,
    over: str,
    slight: str = "",
) -> dict[str, Any]:
    start_s = None if start_ns is None or start_ns == NEVER else start_ns / 1e9
    if helps:
        said = helps[0]["sentence"]
    elif start_ns is None:
        said = "Replaying the run takes longer than the time limit, so no change was tried."
    elif over == "all":
        said = _none_of(tried, slight, "")
    else:
        bound = "the time limit was reached" if over == "time" else "this is the limit"
        said = _none_of(tried, slight, f"; {bound}")
    return {
        "task": task,
        "start_s": start_s,
        "goal": goal,
        "helps": helps,
        "tried": tried,
        "left": left,
        "over": over,
        "sentence": said,
    }
