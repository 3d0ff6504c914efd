"""Choose the next run: owners take turns, so no user waits behind all runs of another owner.

A message in the queue is a turn, not a certain run: the worker that takes it computes the run that is due. Of two
owners the one with fewer runs in workers' hands goes first, then the one who has waited longer, since their run was
queued or their last one ended. An owner is a browser's session, or else an owner token.

All owners of an address, or of a class, share one turn (ground/quotas.py): a browser without a cookie is a new owner
each time. Within it they take turns in the same way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.db.models import Case, F, QuerySet, Value, When, Window
from django.db.models.functions import Concat, RowNumber

from playground.models import HELD_STATES, Experiment, Run
from playground.storage import turns

QUEUE = "runs"
_NOT_READ = ("experiment__data", "summary")


def owner_of(experiment: Experiment) -> str:
    return experiment.owner_session or experiment.owner_token_hash


def group_of(experiment: Experiment) -> str:
    """Return the key of those who share a turn: an address or a class, else the owner alone."""
    return experiment.counts_under or owner_of(experiment)


def oldest_of_each_group(rows: QuerySet[Any], experiment: str, *age: str) -> QuerySet[Any]:
    """Sort rows that wait so that the first row of each group comes first, then each second one, by age.

    Whoever looks at a few of them sees every group, however many rows one group has. `experiment` leads to the
    experiment of a row, such as `experiment__`.
    """
    groups: list[F | Case] = [F(f"{experiment}counts_under"), _owner_without_group(experiment)]
    number = Window(RowNumber(), partition_by=groups, order_by=age)
    found: QuerySet[Any] = rows.annotate(number_in_group=number).order_by("number_in_group", *age)
    return found


def _owner_without_group(experiment: str) -> Case:
    owner = Concat(f"{experiment}owner_session", f"{experiment}owner_token_hash")
    return Case(When(**{f"{experiment}counts_under": ""}, then=owner), default=Value(""))


def held_runs() -> list[Run]:
    """Return the runs in workers' hands, without what takes long to read."""
    return list(Run.objects.filter(state__in=HELD_STATES).select_related("experiment").defer(*_NOT_READ))


def in_turn(queued: Sequence[Run], held: Sequence[Run]) -> list[Run]:
    """Sort queued runs into the order in which workers take them; runs need their experiments."""
    names = {name_of(run.experiment) for run in queued for name_of in (owner_of, group_of)}
    last = turns.last_served(QUEUE, names)
    first_come = sorted(queued, key=lambda run: (run.queued_at, run.pk))
    return _in_turn(_in_turn(first_come, held, last, owner_of), held, last, group_of)


def _in_turn(
    runs: Sequence[Run], held: Sequence[Run], last: Mapping[str, float], name_of: Callable[[Experiment], str]
) -> list[Run]:
    """Let names take turns; the runs of each name stay in the order that they have."""
    count = Counter(name_of(run.experiment) for run in held)
    places: dict[int, tuple[int, float, int]] = {}
    for run in runs:
        name = name_of(run.experiment)
        places[run.pk] = (count[name], max(run.queued_at.timestamp(), last[name]), run.pk)
        count[name] += 1
    return sorted(runs, key=lambda run: places[run.pk])
