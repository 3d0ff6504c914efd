"""Choose the next study: owners take turns run by run, so no user waits behind a study of a thousand runs.

As with runs, a message is a turn, not a certain run. Of two owners the one with fewer runs in workers' hands goes
first, then the one who has waited longer, since their study began or their last run ended. Questions whose runs any
worker may compute (questions/spread.py) take turns with studies.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import NamedTuple

from django.db.models import Count, Exists, OuterRef

from playground.models import RunState, Study, StudyRun
from playground.questions import spread
from playground.questions.spread import Spread
from playground.runs.turns import group_of, oldest_of_each_group, owner_of
from playground.storage import turns

QUEUE = turns.STUDIES
_LOOKED_AT = 100


class _Waits(NamedTuple):
    """A study or a question that has a run for a worker."""

    subject: Study | Spread
    owner: str
    group: str
    since: float
    """In seconds since 1970."""
    number: int
    """Decides between two that began at the same moment."""


def due_run(study_id: str, number: int) -> tuple[str, int] | Spread | None:
    """Return the study and number of the run that a worker should compute now, or a question that has a run for it.

    `study_id` and `number` are what the message names: where its study is due, its number is, too. None if no run
    waits.
    """
    due = _due()
    if due is None or isinstance(due, Spread):
        return due
    rows = due.rows.filter(state=RunState.QUEUED)
    if due.public_id == study_id and rows.filter(number=number).exists():
        return study_id, number
    first = rows.order_by("number").values_list("number", flat=True).first()
    return None if first is None else (due.public_id, first)


def _due() -> Study | Spread | None:
    questions = spread.waiting()
    waiting = [*_studies(), *(_Waits(one, one.owner, one.group, one.since, 0) for one in questions)]
    if len(waiting) < 2:
        return waiting[0].subject if waiting else None
    held = _held(questions)
    last = turns.last_served(QUEUE, {name for one in waiting for name in (one.owner, one.group)})

    def first(waiting: list[_Waits], name_of: Callable[[_Waits], str]) -> _Waits:
        def place(one: _Waits) -> tuple[int, float, int]:
            name = name_of(one)
            return held[name], max(one.since, last[name]), one.number

        return min(waiting, key=place)

    group = first(waiting, lambda one: one.group).group
    return first([one for one in waiting if one.group == group], lambda one: one.owner).subject


def _studies() -> list[_Waits]:
    queued = StudyRun.objects.filter(study=OuterRef("pk"), state=RunState.QUEUED)
    waiting = Study.objects.filter(Exists(queued), state=RunState.RUNNING).select_related("experiment")
    rows = oldest_of_each_group(waiting.defer("experiment__data", "plan"), "experiment__", "created_at", "pk")
    return [
        _Waits(one, owner_of(one.experiment), group_of(one.experiment), one.created_at.timestamp(), one.pk)
        for one in rows[:_LOOKED_AT]
    ]


def _held(questions: Iterable[Spread]) -> Counter[str]:
    """Count the runs in workers' hands, of each owner and of each group that shares a turn.

    A run that the asking worker of a question computes itself does not count: it takes no worker from studies.
    """
    running = StudyRun.objects.filter(state=RunState.RUNNING)
    fields = ("owner_session", "owner_token_hash", "counts_under")
    owners = running.values_list(*(f"study__experiment__{field}" for field in fields))
    held: Counter[str] = Counter()
    for session, token_hash, group, count in owners.annotate(count=Count("pk")).order_by():
        owner = session or token_hash
        for name in {owner, group or owner}:
            held[name] += count
    for one in questions:
        for name in {one.owner, one.group}:
            held[name] += one.held()
    return held
