"""Choose the most instructive moments of a run by rules: the longest wait, the first and the worst of each movement.

| kind | the rule |
|---|---|
| `longest_wait` | the task with the longest time from arrival to first start, at that start |
| `usual_wait` | the first task whose wait is the median of all waits, at its start |
| `first_ROLE` | the first movement of a role (contract.track.MoveRole), and separately the first that went wrong |
| `worst_bounce` | the last refusal of the task that was refused most often, if it was refused at least twice |
| `most_helped` | the steal by which a task started earliest before its first machine was free |
| `least_helped` | the steal by which a task started least before that |
| `most_lost` | the stop after which the most work was lost |
| `longest_decision` | the decision about one task that took longest, if a keeper decides about one task at a time |
| `even_choice` | of decisions while a quarter to three quarters of the machines had room, whose scores differ most |
| `largest_round` | the round in which the most tasks left their keeper, if a keeper decides in rounds |
| `first_report` | the first report of a cluster on its clock after the first start, if keepers have copies |

`instructive_shares` has those about shares that jobs give away and about a central scheduler, `instructive_probes` the
one about the probes of a job, `instructive_data` the one about a job that waits for its data, `instructive_choices`
those of a choice among jobs, queues or places of data.

Ties go to the earliest, so a run has the same moments each time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from scheduler_core.recording.choices import Choice
from scheduler_core.recording.track_spells import spells_of
from scheduler_core.run.instructive_choices import moments_of_choices
from scheduler_core.run.instructive_data import moments_of_data
from scheduler_core.run.instructive_probes import ProbeWay, moments_of_probes
from scheduler_core.run.instructive_shares import moments_of_shares
from scheduler_core.run.moment_texts import PLACES
from scheduler_core.run.names import Names, cluster_name
from scheduler_core.run.said import Said, moment, say
from scheduler_core.run.telling import arguments, duration, sentence
from scheduler_core.run.waits_told import busy_until, wait_told
from scheduler_core.world.spec import Reason, SchedulerSpec
from scheduler_core.world.work import Move


@dataclass(frozen=True)
class Run:
    """The input of the rules. `cluster_of` returns the name of a machine's cluster."""

    spec: SchedulerSpec
    tasks: Any
    decisions: Any
    names: Names
    cluster_of: Callable[[int], str]
    reports: tuple[tuple[int, int], ...] = ()
    """The next report of each cluster after the first start: (t_ns, the cluster's first machine)."""
    compared: Sequence[Choice] = ()
    """Decisions with the score of every machine, as the track keeps them."""
    probes_of: Callable[[int], list[ProbeWay]] = lambda _: []
    """Return the probes of a task's job; empty if they are not known."""
    data_of: Callable[[int], list[int]] = lambda _: []
    """Return the machines that have a task's data; empty if data are nowhere in particular."""

    def why(self, task: int) -> list[Said]:
        """Return why a task got its first machine, in a sentence; empty if the log does not say."""
        row = _start_row(self, task)
        return [_told(self, *row)] if row else []


def instructive_moments(run: Run) -> list[dict[str, Any]]:
    """Return the moments of a run that has ended, in order of time (contract.Moment)."""
    moves = {reason.code: (reason, move) for reason in run.spec.reasons if (move := run.spec.work.move_of(reason))}
    found = [*_waits(run), *_firsts(run, moves), *_worst(run, moves), *_steals(run, moves), *_lost(run, moves)]
    found += [*_decided(run), *_choices(run), *_reports(run), *moments_of_shares(run), *moments_of_probes(run)]
    found += [*moments_of_data(run), *moments_of_choices(run)]
    return sorted(found, key=lambda one: (one["t_ns"], one["kind"]))


def _waits(run: Run) -> Iterator[dict[str, Any]]:
    tasks = run.tasks
    started = np.flatnonzero(tasks["first_start_ns"] >= 0)
    if not len(started):
        return
    wait = (tasks["first_start_ns"] - tasks["arrival_ns"])[started]
    usual = np.sort(wait)[(len(wait) - 1) // 2]
    for kind, place in (
        ("longest_wait", int(wait.argmax())),
        ("usual_wait", int(np.flatnonzero(wait == usual)[0])),
    ):
        task = int(started[place])
        parts = {name: int(tasks[f"{name}_ns"][task]) for name in PLACES}
        longest = max(parts, key=lambda name: parts[name])
        row = _start_row(run, task)
        first = _first_machine(run, task)
        told = [wait_told(task, parts, int(wait[place])), *([_told(run, *row)] if row else [])]
        stolen = row is not None and "frm" in row[0].fields
        if parts[longest] and longest == "worker_queuing" and not stolen:
            told += busy_until(tasks, task)
        yield moment(kind, (int(tasks["first_start_ns"][task]), task, [first]), told)


def _start_row(run: Run, task: int) -> tuple[Reason, Any] | None:
    """Return the decision that gave a task its first machine; None if it has none."""
    log, start_ns = run.decisions, run.tasks["first_start_ns"][task]
    rows = log[(log["task"] == task) & (log["t_ns"] <= start_ns) & (log["machine"] >= 0)]
    reasons = {reason.code: reason for reason in run.spec.reasons}
    return (reasons[int(rows[-1]["reason"])], rows[-1]) if len(rows) else None


def _first_machine(run: Run, task: int) -> int:
    """Return the machine where a task started first; a task that was stopped may end on another one."""
    row = _start_row(run, task) if run.tasks["attempts"][task] > 1 else None
    return int(row[1]["machine"] if row else run.tasks["machine"][task])


def _firsts(run: Run, moves: dict[int, tuple[Reason, Move]]) -> Iterator[dict[str, Any]]:
    seen = set()
    for row in run.decisions[_places(run.decisions, moves)]:
        reason, move = moves[int(row["reason"])]
        if (move.role, move.wrong) in seen:
            continue
        seen.add((move.role, move.wrong))
        fault = move.role == "throw" and move.wrong
        kind = "first_fault" if fault else f"first_{move.role}"
        if move.role == "throw":
            yield _of_row(run, kind, row, (reason, move), _loses(row), after=_made_room(run, row, reason))
        else:
            yield _of_row(run, kind, row, (reason, move))


def _places(log: Any, moves: dict[int, tuple[Reason, Move]]) -> Any:
    """Return the first row of each reason that is a movement, in order of time."""
    firsts = [np.flatnonzero(log["reason"] == code)[:1] for code in moves]
    return np.sort(np.concatenate([*firsts, np.zeros(0, np.int64)]))


def _worst(run: Run, moves: dict[int, tuple[Reason, Move]]) -> Iterator[dict[str, Any]]:
    codes = [code for code, (_, move) in moves.items() if move.role == "bounce"]
    rows = run.decisions[np.isin(run.decisions["reason"], codes)]
    if not len(rows):
        return
    tasks, counts = np.unique(rows["task"], return_counts=True)
    if counts.max() < 2:
        return
    row = rows[rows["task"] == tasks[counts.argmax()]][-1]
    reason, move = moves[int(row["reason"])]
    before = say(
        "refused",
        task=f"{int(row['task']):,}",
        times=f"{counts.max():,}",
    )
    yield _of_row(run, "worst_bounce", row, (reason, move), before)


def _steals(run: Run, moves: dict[int, tuple[Reason, Move]]) -> Iterator[dict[str, Any]]:
    """Yield the steals that helped most and least: the thief started a task of the job before the victim was free.

    Of steals whose probes came to nothing, since the job had no task left, the moment says nothing.
    """
    codes = [code for code, (_, move) in moves.items() if move.role == "steal"]
    rows = run.decisions[np.isin(run.decisions["reason"], codes)][:2000]
    ran_by = _by_machine(run.tasks)
    helped: list[tuple[int, int, Any]] = []  # ns by which the task started earlier, ns for which the victim was busy
    for row in rows:
        victims = ran_by(int(row["frm"]))
        runs = (victims["last_start_ns"] <= row["t_ns"]) & (victims["end_ns"] > row["t_ns"])
        busy_until = int(victims["end_ns"][runs].max(initial=0))
        own = ran_by(int(row["machine"]))
        own = own[(own["job"] == run.tasks["job"][row["task"]]) & (own["last_start_ns"] >= row["t_ns"])]
        if len(own) and busy_until > (start := int(own["last_start_ns"].min())):
            told = row.copy()
            told["task"] = own["number"][own["last_start_ns"].argmin()]
            helped.append((busy_until - start, busy_until - int(row["t_ns"]), told))
    if not helped:
        return
    for kind, best in (
        ("most_helped", max(helped, key=lambda one: one[0])),
        ("least_helped", min(helped, key=lambda one: one[0])),
    ):
        _, busy, row = best
        reason, move = moves[int(row["reason"])]
        after = say("robbed", machine=f"{int(row['frm']):,}", time=duration(busy / 1e9))
        yield _of_row(run, kind, row, (reason, move), after=[after])


def _by_machine(tasks: Any) -> Callable[[int], Any]:
    """Return a function that gives the tasks of a machine as records: number, job, last_start_ns, end_ns."""
    columns = ("job", "last_start_ns", "end_ns")
    order = np.argsort(tasks["machine"], kind="stable")
    machines = tasks["machine"][order]
    table = np.zeros(len(order), [(name, np.int64) for name in ("number", *columns)])
    table["number"] = order
    for name in columns:
        table[name] = tasks[name][order]

    def of(machine: int) -> Any:
        low, high = np.searchsorted(machines, [machine, machine + 1])
        return table[low:high]

    return of


def _lost(run: Run, moves: dict[int, tuple[Reason, Move]]) -> Iterator[dict[str, Any]]:
    throws = {code: move for code, (_, move) in moves.items() if move.role == "throw"}
    rows = run.decisions[np.isin(run.decisions["reason"], list(throws))]
    spells = spells_of(run.tasks, run.decisions, throws)
    if not len(rows) or not len(spells):
        return
    stopped = np.isin(spells["end_ns"], rows["t_ns"])
    if not stopped.any():
        return
    spells = spells[stopped]
    most = spells[(spells["end_ns"] - spells["start_ns"]).argmax()]
    of_it = rows[(rows["task"] == most["task"]) & (rows["t_ns"] == most["end_ns"])]
    if not len(of_it):
        return
    reason, move = moves[int(of_it[0]["reason"])]
    lost = duration(int(most["end_ns"] - most["start_ns"]) / 1e9)
    before = say("had_run", task=f"{int(most['task']):,}", time=lost)
    if "x_s" in reason.fields:  # the reason's own sentence has the time
        before = _loses(of_it[0])
    yield _of_row(run, "most_lost", of_it[0], (reason, move), before, after=_made_room(run, of_it[0], reason))


def _loses(row: Any) -> Said:
    return say("loses", task=f"{int(row['task']):,}")


def _made_room(run: Run, row: Any, stopped: Reason) -> list[Said]:
    """Return for which task this stop made room, and why here; empty if that is said already, or not logged."""
    reason = next((each for each in run.spec.reasons if each.name == "made_room"), None)
    if reason is None or "x" in stopped.fields:
        return []
    log = run.decisions
    rows = log[(log["reason"] == reason.code) & (log["machine"] == row["machine"]) & (log["t_ns"] <= row["t_ns"])]
    return [say("room_for", task=f"{int(rows[-1]['task']):,}"), _told(run, reason, rows[-1])] if len(rows) else []


def _decided(run: Run) -> Iterator[dict[str, Any]]:
    """Yield the moment about how a keeper decides: the longest decision about one task, or the largest round."""
    tasks = run.tasks
    started = np.flatnonzero(tasks["first_start_ns"] >= 0)
    decision = run.spec.work.decision
    if not len(started) or not decision:
        return
    leaves = (tasks["arrival_ns"] + tasks["framework_queuing_ns"] + tasks["processing_ns"])[started]
    if decision == "choose":
        place = int(tasks["processing_ns"][started].argmax())
        took = int(tasks["processing_ns"][started[place]])
        if not took:
            return
        kind = "longest_decision"
        told = say("decision", task=f"{int(started[place]):,}", time=duration(took / 1e9))
    else:
        _, first, counts = np.unique(leaves, return_index=True, return_counts=True)
        most = int(counts.argmax())
        place = int(first[most])
        if counts[most] < 2:
            return
        kind = "largest_round"
        told = say(
            "round",
            tasks=f"{int(counts[most]):,}",
            task=f"{int(started[place]):,}",
        )
    task = int(started[place])
    row = _start_row(run, task)
    why = [_told(run, *row)] if row else []
    yield moment(kind, (int(leaves[place]), task, [_first_machine(run, task)]), [told, *why])


def _choices(run: Run) -> Iterator[dict[str, Any]]:
    """Yield a decision that compared machines of which some had room for the task and others had not."""
    among = {reason.code: reason for reason in run.spec.reasons if reason.among}
    rows = run.decisions[np.isin(run.decisions["reason"], list(among))]
    if run.spec.work.decision != "choose" or not len(rows):
        return
    counts = np.zeros(len(rows), np.int64)
    for code, reason in among.items():
        counts += np.where(rows["reason"] == code, rows[reason.among], 0)
    mixed = 2 * np.abs(2 * counts - counts.max()) <= counts.max()
    if not mixed.any():
        return
    # A picture needs known scores: of these decisions, take the one in which machines differ most.
    spread = {one.task: int(one.scores.max()) - int(one.scores[one.scores > 0].min()) for one in run.compared}
    worth = np.array([1 + spread.get(int(task), -1) for task in rows["task"]])
    row = rows[np.where(mixed, worth, -1).argmax()]
    reason = among[int(row["reason"])]
    task = int(row["task"])
    at = int(row["t_ns"]), task, [int(row["machine"])]
    yield moment("even_choice", at, [_told(run, reason, row)])


def _reports(run: Run) -> Iterator[dict[str, Any]]:
    if run.reports:
        t_ns, machine = min(run.reports)
        keeper = run.spec.work.keeper.label
        told = say(
            "report",
            cluster=cluster_name(run.cluster_of(machine)),
            role=keeper,
        )
        yield moment("first_report", (t_ns, -1, [machine]), [told])


def _of_row(
    run: Run, kind: str, row: Any, drawn: tuple[Reason, Move], before: Said | None = None, *, after: Sequence[Said] = ()
) -> dict[str, Any]:
    reason, move = drawn
    ends = [int(row["machine"]), *([int(row["frm"])] if "machine_frm" in (move.frm, move.to) else [])]
    told = [*([before] if before else []), _told(run, reason, row), *after]
    return moment(kind, (int(row["t_ns"]), int(row["task"]), ends), told)


def _told(run: Run, reason: Reason, row: Any) -> Said:
    values = {name: int(row[name]) for name in row.dtype.names}
    where = run.cluster_of(values["machine"]) if values["machine"] >= 0 else ""
    text = sentence(reason, values, where, run.names)
    return Said(text, reason.template, arguments(reason, values, where, run.names))
