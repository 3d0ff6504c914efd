"""Create and read experiments."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from django.db import DatabaseError, transaction
from django.utils import timezone

import scheduler_core
from playground.errors import PlaygroundError, not_found, problem
from playground.experiments.rules import former_rules
from playground.ground import links
from playground.ground.checking import checked_experiment
from playground.ground.quotas import note_opened, quota_of, refuse_experiment, refuse_shared
from playground.ground.simulator import stored_data
from playground.ground.viewers import Viewer, hash_token, new_owner_token
from playground.models import Experiment, GoneLink
from playground.runs.service import run_payload

_ID = re.compile(r"[A-Za-z0-9_-]{1,32}")
_MOST_RUNS_LISTED = 100


@dataclass(frozen=True)
class Created:
    """A new experiment and the token with which its owner can write from elsewhere (shown once, stored as a hash)."""

    experiment: Experiment
    owner_token: str


def create_experiment(
    *, data: dict[str, Any] | bytes, viewer: Viewer, forked_from: Experiment | None = None
) -> Created:
    """Check and store an experiment; return it with its owner token. Raises PlaygroundError.

    `data` is the experiment's JSON; `forked_from` is the experiment of which the new one is a changed copy.
    """
    refuse_locked(forked_from)
    checked = checked_experiment(data)
    token, quota = new_owner_token(), quota_of(viewer)
    size = refuse_experiment(quota, checked.size)
    experiment = Experiment(
        name=checked.name,
        question=checked.question,
        data=checked.data,
        digest=checked.digest,
        schema_version=checked.schema_version,
        core_version=scheduler_core.__version__,
        forked_from=forked_from,
        owner_session=viewer.session_key,
        owner_token_hash=hash_token(token),
        counts_under=quota.key,
        stored_bytes=size,
    )
    with transaction.atomic():
        experiment.save()
    if not isinstance(checked.data, dict):
        del experiment.data  # who asks for it reads it whole
    return Created(experiment, token)


def refuse_locked(origin: Experiment | None) -> None:
    """Refuse a copy of an entry in the arena whose author does not allow forks. Raises PlaygroundError."""
    if origin is not None and origin.challenge_entries.filter(may_fork=False).exists():
        item = problem(
            "", "the author of this entry does not allow forks", remedy="start with the challenge's baseline"
        )
        raise PlaygroundError(403, "no-forks", "This entry cannot be forked", (item,))


def origin_of(*, public_id: str) -> Experiment | None:
    """Return what an experiment names as its origin; None if the origin does not exist (any more)."""
    if not is_public_id(public_id):
        return None
    return Experiment.objects.filter(public_id=public_id, deleted_at=None).first()


def is_public_id(text: str) -> bool:
    """Return True if a text can be an identifier, so that no other text reaches the database."""
    return _ID.fullmatch(text) is not None


def get_experiment(*, public_id: str) -> Experiment:
    """Return the experiment with an id. Raises PlaygroundError (404) if there is none or it is deleted."""
    query = Experiment.objects.filter(public_id=public_id, deleted_at=None)
    found = query.first() if is_public_id(public_id) else None
    if found is None:
        raise not_found("experiment")
    note_opened(found)
    return found


def get_experiment_by_slug(*, slug: str) -> Experiment:
    """Return the experiment of a share link. Raises PlaygroundError (404) if there is none or it is deleted."""
    found = Experiment.objects.filter(slug=slug, deleted_at=None).first() if is_public_id(slug) else None
    if found is None:
        raise _gone(slug) or not_found("share link")
    note_opened(found)
    return found


def _gone(slug: str) -> PlaygroundError | None:
    """Return an error that says what a link led to, if its experiment was removed because nobody used it."""
    gone = GoneLink.objects.filter(slug=slug).first() if is_public_id(slug) else None
    if gone is None:
        return None
    said = f"{gone.name or 'an experiment without a name'} ({gone.scheduler}) was not used for a while and is gone"
    item = problem(slug, said, remedy="a link that holds the whole experiment still opens it")
    return PlaygroundError(410, "gone", "This experiment was removed", (item,))


def experiment_payload(*, experiment: Experiment, viewer: Viewer, base_url: str = "") -> dict[str, Any]:
    """Return an experiment as the API and the pages show it."""
    runs = experiment.runs.select_related("experiment").order_by("-created_at")[:_MOST_RUNS_LISTED]
    return {
        "id": experiment.public_id,
        "slug": experiment.slug,
        "name": experiment.name,
        "question": experiment.question,
        "experiment": stored_data(experiment),
        "experiment_digest": experiment.digest,
        "core_version": experiment.core_version,
        "former_rules": former_rules(experiment.data, experiment.core_version),
        "url": links.experiment_url(experiment, base_url),
        "share_url": links.share_url(experiment, base_url),
        "mine": viewer.owns(experiment),
        "runs": [run_payload(run=run, base_url=base_url) for run in reversed(runs)],
    }


def created_payload(*, made: Created, base_url: str) -> dict[str, object]:
    """Return a new experiment as the API answers with it (CreatedOut)."""
    return {
        "id": made.experiment.public_id,
        "slug": made.experiment.slug,
        "url": links.experiment_url(made.experiment, base_url),
        "share_url": links.share_url(made.experiment, base_url),
        "owner_token": made.owner_token,
        "experiment_digest": made.experiment.digest,
    }


def mark_shared(experiment: Experiment) -> None:
    """Record that other people have the experiment's link: it is kept. Raises PlaygroundError beyond the quota."""
    if experiment.shared_at is None:
        refuse_shared(experiment)
        Experiment.objects.filter(pk=experiment.pk, shared_at=None).update(shared_at=timezone.now())


def keep_shown(experiments: Iterable[Experiment]) -> None:
    """Keep experiments whose figure or citation a user gets, as far as the quota of shared ones and the disk allow."""
    for experiment in experiments:
        # A figure is given all the same.
        with suppress(PlaygroundError, DatabaseError), transaction.atomic():
            mark_shared(experiment)
