"""Choose the next study: owners take turns run by run, so no user waits behind a study of a thousand runs.

As with runs, a message is a turn, not a certain run. Of two owners the one with fewer runs in workers' hands goes
first, then the one who has waited longer, since their study began or their last run ended.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from django.db.models import Count, Exists, OuterRef

from playground.models import Experiment, RunState, Study, StudyRun
from playground.runs.turns import group_of, oldest_of_each_group, owner_of
from playground.storage import turns

QUEUE = "studies"
_LOOKED_AT = 100


def due_run(study_id: str, number: int) -> tuple[str, int] | None:
    """Return the study and number of the run that a worker should compute now; None if none waits.

    `study_id` and `number` are what the message names: where its study is due, its number is, too.
    """
    study = _due_study()
    if study is None:
        return None
    rows = study.rows.filter(state=RunState.QUEUED)
    if study.public_id == study_id and rows.filter(number=number).exists():
        return study_id, number
    first = rows.order_by("number").values_list("number", flat=True).first()
    return None if first is None else (study.public_id, first)


def _due_study() -> Study | None:
    queued = StudyRun.objects.filter(study=OuterRef("pk"), state=RunState.QUEUED)
    waiting = Study.objects.filter(Exists(queued), state=RunState.RUNNING).select_related("experiment")
    rows = oldest_of_each_group(waiting.defer("experiment__data", "plan"), "experiment__", "created_at", "pk")
    studies = list(rows[:_LOOKED_AT])
    if len(studies) < 2:
        return studies[0] if studies else None
    held = _held()
    last = turns.last_served(QUEUE, {name_of(one.experiment) for one in studies for name_of in (owner_of, group_of)})

    def first(studies: list[Study], name_of: Callable[[Experiment], str]) -> Study:
        def place(study: Study) -> tuple[int, float, int]:
            name = name_of(study.experiment)
            return held[name], max(study.created_at.timestamp(), last[name]), study.pk

        return min(studies, key=place)

    group = group_of(first(studies, group_of).experiment)
    return first([study for study in studies if group_of(study.experiment) == group], owner_of)


def _held() -> Counter[str]:
    """Count the runs of studies in workers' hands, of each owner and of each group that shares a turn."""
    running = StudyRun.objects.filter(state=RunState.RUNNING)
    fields = ("owner_session", "owner_token_hash", "counts_under")
    owners = running.values_list(*(f"study__experiment__{field}" for field in fields))
    held: Counter[str] = Counter()
    for session, token_hash, group, count in owners.annotate(count=Count("pk")).order_by():
        owner = session or token_hash
        for name in {owner, group or owner}:
            held[name] += count
    return held
