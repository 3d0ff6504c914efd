"""Entries: accept them, run them one after the other per person, withdraw them, open them under the public seed."""

from __future__ import annotations

import functools
import operator
import re
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from pydantic_core import PydanticCustomError

from playground.arena.board import is_hidden
from playground.arena.challenges import add_entry, base_of, spec_of
from playground.arena.line import move_on
from playground.arena.parts import part_of, refused, with_part
from playground.errors import PlaygroundError, not_found, not_yours, problem
from playground.experiments.service import get_experiment, mark_shared
from playground.ground import links
from playground.ground.quotas import quota_of
from playground.ground.simulator import digest_of, parse_experiment, stored_data, stored_experiment
from playground.ground.viewers import Viewer, hash_token, new_owner_token
from playground.models import Challenge, ChallengeEntry, ChallengeState, EntryRole, RunState
from playground.runs.service import new_run, queue_run
from playground.runs.starting import give_known
from scheduler_core.experiment.fields import Text

_KEYS = ("author", "note", "may_fork", "part", "experiment_id")
_ID = re.compile(r"[A-Za-z0-9_-]{1,32}")


def enter(
    *, challenge: Challenge, asked: dict[str, Any], viewer: Viewer, board: str = ""
) -> tuple[ChallengeEntry, str]:
    """Take an entry in; return it and its owner's token.

    The same entry of the same person is the entry that is there, and has no token. Raises PlaygroundError.
    """
    told = _told(asked)
    if challenge.state != ChallengeState.OPEN:
        item = problem("", f"the challenge is {challenge.state}", remedy="enter another challenge")
        raise PlaygroundError(409, "challenge-over", "The challenge accepts no more entries", (item,))
    spec, base = spec_of(challenge), base_of(challenge)
    part = _part(asked, challenge, base)
    data = with_part(spec, base, part)
    with transaction.atomic():
        # Take in two requests of one person one after the other.
        Challenge.objects.select_for_update().get(pk=challenge.pk)
        digest = digest_of(parse_experiment(data))
        owner = _owner(viewer)
        same = challenge.entries.filter(owner, board=board, digest=digest).first() if owner is not None else None
        if same is not None:
            return same, ""
        _refuse_too_many(challenge, owner, board)
        token = viewer.token or new_owner_token()
        entry = add_entry(
            challenge, data, part=part, board=board, owner_session=viewer.session_key,
            owner_token_hash=hash_token(token), counts_under=quota_of(viewer).key, **told,
        )  # fmt: skip
    move_on(challenge)
    entry.refresh_from_db()
    return entry, token


def _told(asked: dict[str, Any]) -> dict[str, Any]:
    """Return what a person says of an entry. Raises PlaygroundError."""
    unknown = [problem(str(key)[:60], "is not known", allowed=", ".join(_KEYS)) for key in asked if key not in _KEYS]
    if unknown:
        raise refused(*unknown)
    may_fork = asked.get("may_fork", True)
    if not isinstance(may_fork, bool):
        raise refused(problem("may_fork", "is not true or false", allowed="true, false"))
    author = _text("author", asked.get("author", ""), Text(40, 1, name=True))
    return {"author": author, "note": _text("note", asked.get("note", ""), Text(200, name=True)), "may_fork": may_fork}


def _text(path: str, value: Any, form: Text) -> str:
    try:
        return form.check(value)
    except PydanticCustomError as error:
        raise refused(problem(path, error.message(), allowed=form.allowed)) from None


def _part(asked: dict[str, Any], challenge: Challenge, base: dict[str, Any]) -> dict[str, Any]:
    """Return the part that is entered: as it is written, or from a stored experiment."""
    if "experiment_id" in asked:
        wanted = asked["experiment_id"]
        experiment = get_experiment(public_id=wanted if isinstance(wanted, str) else "")
        return part_of(spec_of(challenge), base, stored_data(experiment))
    part = asked.get("part")
    if not isinstance(part, dict):
        remedy = "send a part, or the experiment_id of an experiment"
        raise refused(problem("part", "is missing", allowed='{"scheduler": {...}, "values": {...}}', remedy=remedy))
    return part


def _owner(viewer: Viewer) -> Q | None:
    """Return the rows of one person; None for a program that shows no token."""
    names = [Q(owner_session=viewer.session_key)] if viewer.session_key else []
    names += [Q(owner_token_hash=hash_token(viewer.token))] if viewer.token else []
    return functools.reduce(operator.or_, names) if names else None


def _refuse_too_many(challenge: Challenge, owner: Q | None, board: str) -> None:
    since = timezone.now() - timedelta(hours=1)
    made = ChallengeEntry.objects.filter(owner, created_at__gt=since).count() if owner is not None else 0
    if made >= settings.LIMIT_ENTRIES_PER_HOUR:
        allowed = f"at most {settings.LIMIT_ENTRIES_PER_HOUR} (setting PLAYGROUND_LIMIT_ENTRIES_PER_HOUR)"
        item = problem("", f"you made {made} entries in the last hour", allowed=allowed, remedy="wait a while")
        raise PlaygroundError(429, "too-many-entries", "Too many entries", (item,), retry_after_s=600)
    there = challenge.entries.filter(board=board).count()
    if there >= settings.LIMIT_BOARD_ENTRIES:
        allowed = f"at most {settings.LIMIT_BOARD_ENTRIES} (setting PLAYGROUND_LIMIT_BOARD_ENTRIES)"
        raise PlaygroundError(
            429, "board-full", "The board is full", (problem("", f"it has {there} entries", allowed=allowed),)
        )


def get_entry(*, challenge: Challenge, entry_id: str) -> ChallengeEntry:
    rows = challenge.entries.select_related("experiment", "study", "challenge")
    found = rows.filter(public_id=entry_id).first() if _ID.fullmatch(entry_id) else None
    if found is None:
        raise not_found("entry")
    return found


def withdraw(*, entry: ChallengeEntry, viewer: Viewer) -> None:
    """Delete an entry: its author may, and whoever made the challenge. Runs that another entry shares go on."""
    if not viewer.owns(entry) and not viewer.owns(entry.challenge):
        raise not_yours("entry")
    if entry.role != EntryRole.ENTRY:
        raise PlaygroundError(409, "fixed-entry", "The baseline and the reference belong to the challenge")
    with transaction.atomic():
        for name in ("study", "final"):
            study = getattr(entry, name)
            shared = ChallengeEntry.objects.filter(**{name: study}).exclude(pk=entry.pk).select_related("experiment")
            if study is not None and (heir := shared.first()) is not None:
                study.experiment = heir.experiment
                study.save(update_fields=["experiment"])
        # With its entry, and the studies that only it has.
        entry.experiment.delete()


def open_entry(*, entry: ChallengeEntry, viewer: Viewer, base_url: str) -> str:
    """Return the link of an entry's run under the public seed; the first time it is queued. Raises PlaygroundError."""
    if is_hidden(entry, viewer):
        item = problem("", "the challenge is open", remedy="open the baseline, or an entry of your own")
        raise PlaygroundError(403, "hidden-entry", "This entry is hidden while the challenge is open", (item,))
    experiment = entry.experiment
    run = experiment.runs.exclude(state__in=(RunState.FAILED, RunState.CANCELLED)).order_by("-created_at").first()
    if run is None:
        core = stored_experiment(experiment)
        with transaction.atomic():
            mark_shared(experiment)
            run = new_run(experiment, core)
            if not give_known(run, core):
                queue_run(run)
    return links.live_url(run, base_url)
