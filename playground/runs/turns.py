"""Choose the next run: owners take turns, so no user waits behind all runs of another owner.

A message in the queue is a turn, not a certain run: the worker that takes it computes the run that is due. Of two
owners the one with fewer runs in workers' hands goes first, then the one who has waited longer, since their run was
queued or their last one ended. An owner is a browser's session, or else an owner token.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from playground.models import HELD_STATES, Experiment, Run
from playground.storage import turns

QUEUE = "runs"
_NOT_READ = ("experiment__data", "summary")


def owner_of(experiment: Experiment) -> str:
    return experiment.owner_session or experiment.owner_token_hash


def held_runs() -> list[Run]:
    """Return the runs in workers' hands, without what takes long to read."""
    return list(Run.objects.filter(state__in=HELD_STATES).select_related("experiment").defer(*_NOT_READ))


def in_turn(queued: Sequence[Run], held: Sequence[Run]) -> list[Run]:
    """Sort queued runs into the order in which workers take them; runs need their experiments."""
    count = Counter(owner_of(run.experiment) for run in held)
    last = turns.last_served(QUEUE, {owner_of(run.experiment) for run in queued})
    places: dict[int, tuple[int, float, int]] = {}
    for run in sorted(queued, key=lambda each: (each.queued_at, each.pk)):
        owner = owner_of(run.experiment)
        places[run.pk] = (count[owner], max(run.queued_at.timestamp(), last[owner]), run.pk)
        count[owner] += 1
    return sorted(queued, key=lambda run: places[run.pk])
