"""The queue of entries: one person's runs one after the other; identical entries run once for all.

Called whenever an entry is made and by every worker's caretaker. It starts nothing twice, however often it is called,
and a server that dies between two steps loses nothing: the rows say which entries wait.
"""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Max, Q
from django.utils import timezone

from playground.arena.challenges import begin_closing, remove_challenge, spec_of
from playground.ground.simulator import stored_data
from playground.models import Challenge, ChallengeEntry, ChallengeState, EntryRole, Study
from playground.storage import connections
from playground.studies.service import UNFINISHED, queue_study
from scheduler_core import Grid, StudyPlan

#: Entries of a final ranking that run at the same time; the queue of studies is everybody's.
_FINALS_AT_ONCE = 4
_AT_ONCE = 50


def move_on(challenge: Challenge) -> None:
    """Start waiting entries in a challenge; where Redis is away, a caretaker does it later."""
    try:
        start_next(challenge)
    except connections.REDIS_AWAY:
        return


def look_after_challenges() -> None:
    """Close challenges whose time has come, and start waiting entries."""
    now = timezone.now()
    for challenge in Challenge.objects.filter(state=ChallengeState.OPEN, closes_at__lte=now)[:_AT_ONCE]:
        begin_closing(challenge)
    waiting = Q(entries__role=EntryRole.ENTRY, entries__study=None, state=ChallengeState.OPEN)
    for challenge in Challenge.objects.filter(waiting | Q(state=ChallengeState.CLOSING)).distinct()[:_AT_ONCE]:
        start_next(challenge)


def start_next(challenge: Challenge) -> None:
    """Start the entries whose turn it is, and end a challenge whose final ranking is complete."""
    with transaction.atomic():
        row = Challenge.objects.select_for_update().get(pk=challenge.pk)
        if row.state == ChallengeState.OPEN:
            _start_entries(row)
        elif row.state == ChallengeState.CLOSING:
            _start_finals(row)


def _start_entries(challenge: Challenge) -> None:
    busy = _busy_people()
    for entry in challenge.entries.select_related("experiment").filter(study=None).order_by("created_at", "pk"):
        person = _names_of(entry)
        same = challenge.entries.filter(digest=entry.digest).exclude(study=None).first()
        if same is not None:
            entry.study = same.study
        elif person & busy:
            continue
        else:
            entry.study = _start(entry, challenge.seeds)
            busy |= person
        entry.save(update_fields=["study"])


def _names_of(entry: ChallengeEntry) -> set[str]:
    """Return the names under which a person makes entries; none for the site's own, which wait for nobody."""
    return {entry.owner_session, entry.owner_token_hash} - {""}


def _busy_people() -> set[str]:
    rows = ChallengeEntry.objects.filter(study__state__in=UNFINISHED)
    return {name for entry in rows for name in _names_of(entry)}


def _start(entry: ChallengeEntry, seeds: list[int]) -> Study:
    grid = Grid(stored_data(entry.experiment), StudyPlan(repeats=len(seeds)), entry.experiment.core_version)
    return queue_study(entry.experiment, grid, hidden={"seeds": seeds, "figures": spec_of(entry.challenge).figures()})


def _start_finals(challenge: Challenge) -> None:
    assert challenge.final_seeds is not None
    entries = list(challenge.entries.select_related("experiment", "final").order_by("created_at", "pk"))
    by_digest = {entry.digest: entry.final for entry in entries if entry.final is not None}
    running = sum(study.state in UNFINISHED for study in {final.pk: final for final in by_digest.values()}.values())
    for entry in entries:
        if entry.final is not None:
            continue
        if entry.digest not in by_digest:
            if running >= _FINALS_AT_ONCE:
                continue
            by_digest[entry.digest] = _start(entry, challenge.final_seeds)
            running += 1
        entry.final = by_digest[entry.digest]
        entry.save(update_fields=["final"])
    if all(entry.final is not None and entry.final.state not in UNFINISHED for entry in entries):
        Challenge.objects.filter(pk=challenge.pk).update(state=ChallengeState.CLOSED)


def remove_old_challenges() -> None:
    """Delete people's challenges in which nothing has happened for the longest time that they are kept."""
    oldest = timezone.now() - timedelta(days=settings.KEEP_CHALLENGES_DAYS)
    own = Challenge.objects.filter(name="", created_at__lt=oldest)
    for challenge in own.annotate(latest=Max("entries__created_at")).filter(latest__lt=oldest)[:_AT_ONCE]:
        remove_challenge(challenge)
