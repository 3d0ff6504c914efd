"""Which tasks, jobs and machines a track brings together, for sentences about what moves."""

from __future__ import annotations

import re

import numpy as np

from scheduler_core.recording.track import numbers
from tests.recorded import Recorded
from tests.says.names import names_in
from tests.says.numbers import plain, unexplained

_NAMED = r"\b{} (\d[\d,]*)"
#: Scores and costs of a decision, which a recording's tables do not hold: tests/web/test_shipped_networks.py counts
#: costs, tests/core/test_kube_cases.py scores.
_OF_A_DECISION = re.compile(
    r"(?:all|\d[\d,]* of) (?P<all>\d[\d,]*) machines (?:have (?:no )?room|are full after this round)\..*", re.DOTALL
)
_OF_A_SCORE = re.compile(
    r"Machine (?P<machine>[\d,]+) scores (?P<score>[\d.]+) of 100: (?P<parts>[\d.]+ for .*?[a-z])\.(?= |$)"
)


class Moves:
    """The pairs of a task and a machine that a track holds; none where a recording has no track."""

    def __init__(self, recorded: Recorded) -> None:
        self.meta, self.track = recorded.meta, recorded.track
        if self.track is None:
            return
        tasks, spells, moves = (self.track[name] for name in ("tasks", "spells", "moves"))
        self.job = numbers(tasks["job"])
        named = numbers(tasks["task"]) if tasks["task"] else np.arange(tasks["count"])
        self.row = {int(task): row for row, task in enumerate(named)}
        self.pairs = {(int(task), int(at) - 1) for task, at in zip(named, numbers(tasks["machine"]), strict=True)}
        for row, at in zip(numbers(spells["row"]), numbers(spells["machine"]), strict=True):
            self.pairs.add((int(named[row]), int(at) - 1))
        # Machines are stored plus 1, so that 0 means none.
        columns = (numbers(moves["task"]), *(numbers(moves[name]) - 1 for name in ("machine", "frm", "to")))
        self.moved = [tuple(int(each) for each in one) for one in zip(*columns, strict=True)]
        self.pairs |= {(task, end) for task, *ends in self.moved for end in ends}
        for moment in recorded.moments:
            probed = [each["machine"] for each in moment.get("probes") or []]
            self.pairs |= {(moment["task"], machine) for machine in [*moment["machines"], *probed]}

    def wrong(self, text: str, arrived: int) -> str:
        """What is wrong with a sentence; `arrived` is how many tasks arrive in the run."""
        told = plain(text)
        if decided := _OF_A_DECISION.search(told):
            if int(decided["all"].replace(",", "")) != self.meta["machines"]:
                return f"{text!r}, but there are {self.meta['machines']} machines"
            told = _OF_A_DECISION.sub(" ", told)
        if scored := _OF_A_SCORE.search(told):
            if not self._scored(scored):
                return f"{text!r}, but no recorded decision has these points"
            told = _OF_A_SCORE.sub(" ", told)
        for name in names_in(self.meta):
            told = re.sub(rf"{re.escape(plain(name))}(?!\d)", " ", told)
        task, job, machine = (
            [int(each.replace(",", "")) for each in re.findall(_NAMED.format(sort), told, re.IGNORECASE)]
            for sort in ("task", "job", "machine")
        )
        rest = re.sub(r"\b(task|job|machine) \d[\d,]*", " ", told, flags=re.IGNORECASE)
        if odd := unexplained(rest, []):
            return odd
        if max(machine, default=0) >= self.meta["machines"] or max(task, default=0) >= max(arrived, 1):
            return f"{text!r} names what is not there"
        return self._apart(task, job, machine) if self.track is not None else ""

    def _scored(self, found: re.Match[str]) -> bool:
        """Whether a recorded decision chose the machine for this score, and for these points by what they are for."""
        choices = (self.track or {}).get("choices")
        if not choices:
            return False
        machine, machines = int(found["machine"].replace(",", "")), self.meta["machines"]
        told = {label: float(points) for points, label in re.findall(r"([\d.]+) for ([^,.]+)", found["parts"])}
        for place in np.flatnonzero(numbers(choices["machine"]) - 1 == machine):
            at = int(place) * machines + machine
            parts = {each["label"]: numbers(each["tenths"], 2)[at] / 10 for each in choices.get("parts", ())}
            if (numbers(choices["scores"], 2)[at] - 1) / 10 == float(found["score"]) and told == {
                label: points for label, points in parts.items() if points
            }:
                return True
        return False

    def _apart(self, task: list[int], job: list[int], machine: list[int]) -> str:
        for one in task:
            if one not in self.row:
                return f"the track has no task {one}"
            if any(self.job[self.row[one]] != each for each in job):
                return f"task {one} is of job {self.job[self.row[one]]}, and not of {job}"
            if machine and not any((one, each) in self.pairs for each in machine):
                return f"task {one} never comes to one of the machines {machine}"
        if not task and len(machine) == 2 and not any((at, frm) == tuple(machine) for _, at, frm, _ in self.moved):
            return f"machine {machine[0]} gets nothing from machine {machine[1]}"
        return ""
