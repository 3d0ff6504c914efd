"""Challenges: the shipped ones, those that people create, and their end."""

from __future__ import annotations

import hashlib
import json
import re
import secrets
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from pydantic import ValidationError

from playground.arena.declared import FEWEST_SEEDS, MOST_SEEDS, Spec, shipped
from playground.arena.parts import start_of, with_part
from playground.arena.physics import is_physics
from playground.errors import PlaygroundError, ProblemItem, not_found, not_yours, problem
from playground.experiments.service import create_experiment
from playground.ground.quotas import quota_of, quota_of_key, refuse_experiment, refuse_more
from playground.ground.simulator import parse_experiment, refuse_unsupported, stored_data, web_limits
from playground.ground.values import values_in
from playground.ground.viewers import Viewer, hash_token, new_owner_token
from playground.models import Challenge, ChallengeEntry, ChallengeState, EntryRole, Experiment
from scheduler_core import SCHEDULERS, scheduler_by_name
from scheduler_core.errors import UnknownName
from scheduler_core.experiment.places import with_value
from scheduler_core.experiment.problems import from_pydantic

_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_MOST_LISTED = 100
MOST_VALUES = 50_000
"""Values of a challenge that is sent, its experiment included."""
#: The experiment is checked once by itself and once with each scheduler: its values times these checks.
_MOST_CHECKED = 100_000
_MOST_CHARACTERS = 400_000
SITE = "Scheduler Playground"
_PHYSICS = "says how fast the hardware and the programs are, or what work there is; entries compete on the same"


def draw_seeds(count: int) -> list[int]:
    """Draw hidden seeds. They lie above every seed that an experiment can name, so that no run of anybody has one."""
    return [(1 << 62) | secrets.randbits(62) for _ in range(count)]


def spec_of(challenge: Challenge) -> Spec:
    return Spec.model_validate(challenge.spec)


def base_of(challenge: Challenge) -> dict[str, Any]:
    """Return the baseline's experiment under the public seed."""
    return stored_data(challenge.entries.select_related("experiment").get(role=EntryRole.BASELINE).experiment)


def get_challenge(*, public_id: str) -> Challenge:
    """Return a challenge by its id, or by the name of its file. Raises PlaygroundError."""
    if not _ID.fullmatch(public_id):
        raise not_found("challenge")
    if public_id in shipped():
        return _shipped_row(public_id, shipped()[public_id])
    found = Challenge.objects.filter(public_id=public_id).first()
    if found is None:
        raise not_found("challenge")
    return found


def list_challenges(*, viewer: Viewer) -> list[Challenge]:
    """Return the challenges that come along, and the viewer's own; others' are found by their links."""
    own = Q(pk__in=[])
    if viewer.session_key:
        own |= Q(owner_session=viewer.session_key)
    if viewer.token:
        own |= Q(owner_token_hash=hash_token(viewer.token))
    mine = Challenge.objects.filter(own, name="").order_by("-created_at")[:_MOST_LISTED]
    return [*(_shipped_row(name, spec) for name, spec in shipped().items()), *mine]


def _shipped_row(name: str, spec: Spec) -> Challenge:
    found = Challenge.objects.filter(name=name, digest=_digest(spec)).first()
    if found is not None:
        return found
    try:
        return _store(spec, Challenge(name=name))
    except IntegrityError:
        return Challenge.objects.get(name=name, digest=_digest(spec))


def _digest(spec: Spec) -> str:
    return hashlib.sha256(json.dumps(spec.model_dump(mode="json"), sort_keys=True).encode()).hexdigest()


def create_challenge(*, asked: dict[str, Any], viewer: Viewer) -> tuple[Challenge, str]:
    """Check and store a challenge; return it with its owner's token. Raises PlaygroundError."""
    closes_at = _closing_time(asked.pop("closes_at", None))
    spec = checked_spec(asked)
    _refuse_too_many(viewer)
    token = viewer.token or new_owner_token()
    row = Challenge(closes_at=closes_at, owner_session=viewer.session_key, owner_token_hash=hash_token(token))
    return _store(spec, row, quota_of(viewer).key), token


def _store(spec: Spec, row: Challenge, counts_under: str = "") -> Challenge:
    """Store a challenge with hidden seeds of its own, and the rows of its baseline and its reference."""
    row.spec, row.digest, row.seeds = spec.model_dump(mode="json"), _digest(spec), draw_seeds(spec.seeds)
    base = _experiment(spec)
    # The row holds the experiment once more, as it is.
    size = len(json.dumps(row.spec))
    refuse_experiment(quota_of_key(counts_under), size)
    with transaction.atomic():
        row.save()
        first = {"scheduler": base["scheduler"], "values": {}}
        made = add_entry(row, base, counts_under, part=first, role=EntryRole.BASELINE, author=SITE)
        Experiment.objects.filter(pk=made.experiment_id).update(stored_bytes=F("stored_bytes") + size)
        if spec.reference is not None:
            part = {"scheduler": spec.reference.scheduler, "values": spec.reference.values}
            data = with_part(spec, base, part)
            add_entry(
                row, data, counts_under, part=part, role=EntryRole.REFERENCE, author=SITE, note=spec.reference.note
            )
    return row


def add_entry(challenge: Challenge, data: dict[str, Any], counts_under: str = "", **fields: Any) -> ChallengeEntry:
    """Store an entry with its experiment under the public seed, which belongs to the site.

    `counts_under` is the key of the quota that the experiment counts against.
    """
    named = data | {"name": f"{challenge.spec['title']}: {fields['author']}"[:200], "question": ""}
    made = create_experiment(data=named, viewer=Viewer(counts_under=counts_under)).experiment
    return ChallengeEntry.objects.create(challenge=challenge, experiment=made, digest=made.digest, **fields)


def _experiment(spec: Spec) -> dict[str, Any]:
    core = parse_experiment(spec.experiment)
    refuse_unsupported(core)
    return core.to_dict()


def _refused(*items: ProblemItem) -> PlaygroundError:
    return PlaygroundError(422, "invalid-challenge", "The challenge cannot be used", items)


def checked_spec(data: dict[str, Any]) -> Spec:
    """Return a challenge whose parts fit together. Raises PlaygroundError."""
    try:
        spec = Spec.model_validate(data)
    except ValidationError as error:
        found = dict.fromkeys(from_pydantic(error, Spec, data))
        raise _refused(
            *(problem(one.path, one.message, allowed=one.allowed, remedy=one.remedy) for one in found)
        ) from None
    wrong = [*_wrong_size(spec), *_wrong_schedulers(spec)]
    if wrong:
        raise _refused(*wrong)
    try:
        base = _experiment(spec)
    except PlaygroundError as error:
        raise _refused(*(one | {"path": f"experiment.{one['path']}".rstrip(".")} for one in error.problems)) from None
    wrong = [*_wrong_tasks(base, spec), *_wrong_offers(spec, base), *_wrong_values(spec, base)]
    if wrong:
        raise _refused(*wrong)
    return spec


def _wrong_size(spec: Spec) -> Iterator[ProblemItem]:
    most = min(settings.LIMIT_ENTRY_SEEDS, MOST_SEEDS)
    if not FEWEST_SEEDS <= spec.seeds <= most:
        allowed = f"{FEWEST_SEEDS} to {most} (setting PLAYGROUND_LIMIT_ENTRY_SEEDS)"
        yield problem("seeds", f"is {spec.seeds}", allowed=allowed)
    checks = 1 if spec.change.schedulers == "any" else 1 + len(spec.change.schedulers)
    if (values := values_in(spec.experiment)) * checks > _MOST_CHECKED:
        allowed = f"at most {_MOST_CHECKED // checks:,} values, because it is checked with each scheduler"
        yield problem("experiment", f"has {values:,} values", allowed=allowed, remedy="offer fewer schedulers")
    if (size := len(json.dumps(spec.model_dump(mode="json")))) > _MOST_CHARACTERS:
        yield problem("", f"has {size:,} characters", allowed=f"at most {_MOST_CHARACTERS:,}")


def _wrong_schedulers(spec: Spec) -> Iterator[ProblemItem]:
    for place, offer in enumerate(() if spec.change.schedulers == "any" else spec.change.schedulers):
        try:
            fields = scheduler_by_name(offer.name).params.model_fields
        except UnknownName as error:
            allowed = ", ".join(one.name for one in SCHEDULERS)
            yield problem(f"change.schedulers[{place}].name", str(error), allowed=allowed)
            continue
        for key in () if offer.open == "any" else offer.open:
            if key not in fields:
                told = f"{offer.name} has no parameter {key!r}"
                yield problem(f"change.schedulers[{place}].open.{key}", told, allowed=", ".join(fields))
            elif is_physics(key):
                allowed = ", ".join(one for one in fields if not is_physics(one))
                yield problem(f"change.schedulers[{place}].open.{key}", _PHYSICS, allowed=allowed)


def _wrong_tasks(base: dict[str, Any], spec: Spec) -> Iterator[ProblemItem]:
    work = base["workload"]
    told = work.get("tasks") or work.get("jobs")
    most = min(settings.LIMIT_ENTRY_TASKS // max(1, spec.seeds), web_limits().tasks)
    if isinstance(told, int) and told > most:
        allowed = f"at most {most:,} for {spec.seeds} seeds (setting PLAYGROUND_LIMIT_ENTRY_TASKS)"
        name = "tasks" if work.get("tasks") else "jobs"
        yield problem(
            f"experiment.workload.{name}", f"is {told:,}", allowed=allowed, remedy="make the workload smaller"
        )


def _wrong_offers(spec: Spec, base: dict[str, Any]) -> Iterator[ProblemItem]:
    """Yield the problems of schedulers that cannot run this workload with their initial parameters."""
    if spec.change.schedulers == "any":
        return
    for place, offer in enumerate(spec.change.schedulers):
        try:
            start_of(base, offer)
        except PlaygroundError as error:
            for one in error.problems:
                yield one | {"path": f"change.schedulers[{place}]", "message": f"{one['path']}: {one['message']}"}


def _wrong_values(spec: Spec, base: dict[str, Any]) -> Iterator[ProblemItem]:
    for place, value in enumerate(spec.change.values):
        path = f"change.values[{place}].path"
        if value.path.startswith("scheduler"):
            remedy = "name the scheduler's parameters in change.schedulers"
            yield problem(path, "is a scheduler's", allowed="a path outside the scheduler", remedy=remedy)
            continue
        if is_physics(value.path):
            yield problem(path, _PHYSICS, allowed="a path of the topology or the queues", remedy="leave it out")
            continue
        try:
            with_value(base, value.path, value.choices[0] if value.choices else value.least or 0)
        except (LookupError, ValueError) as error:
            yield problem(path, str(error)[:200], allowed="a path to one value of this experiment")


def _closing_time(asked: Any) -> datetime | None:
    if asked is None:
        return None
    found = parse_datetime(asked) if isinstance(asked, str) else None
    if found is None or found.tzinfo is None or found <= timezone.now():
        allowed = "a time in the future with its zone, such as 2027-01-31T12:00:00Z"
        raise _refused(problem("closes_at", "is not a time to close at", allowed=allowed))
    return found


def _refuse_too_many(viewer: Viewer) -> None:
    quota = quota_of(viewer)
    shared = ChallengeEntry.objects.filter(role=EntryRole.BASELINE, experiment__counts_under=quota.key)
    refuse_more(
        quota, shared.exclude(challenge__state=ChallengeState.CLOSED), setting="LIMIT_CHALLENGES_PER_ADDRESS",
        what="open challenges", kind="too-many-challenges", remedy="close one",
    )  # fmt: skip
    if not viewer.session_key and not viewer.token:
        return
    own = Q(owner_session=viewer.session_key) if viewer.session_key else Q(owner_token_hash=hash_token(viewer.token))
    count, limit = Challenge.objects.filter(own).exclude(state=ChallengeState.CLOSED).count(), settings.LIMIT_CHALLENGES
    if count >= limit:
        allowed = f"at most {limit} (setting PLAYGROUND_LIMIT_CHALLENGES)"
        item = problem("", f"{count} of your challenges are open", allowed=allowed, remedy="close one")
        raise PlaygroundError(429, "too-many-challenges", "Too many open challenges", (item,))


def close_challenge(*, challenge: Challenge, viewer: Viewer) -> Challenge:
    """End a challenge: new seeds are drawn, and every entry runs under them for the final ranking. Twice is once."""
    if not viewer.owns(challenge):
        raise not_yours("challenge")
    begin_closing(challenge)
    challenge.refresh_from_db()
    return challenge


def begin_closing(challenge: Challenge) -> bool:
    """Draw the seeds of the final ranking, once; return True if this call did."""
    open_rows = Challenge.objects.filter(pk=challenge.pk, state=ChallengeState.OPEN)
    return bool(
        open_rows.update(
            state=ChallengeState.CLOSING, final_seeds=draw_seeds(len(challenge.seeds)), closes_at=timezone.now()
        )
    )


def delete_challenge(*, challenge: Challenge, viewer: Viewer) -> None:
    """Delete a challenge with its entries and their results."""
    if not viewer.owns(challenge):
        raise not_yours("challenge")
    remove_challenge(challenge)


def remove_challenge(challenge: Challenge) -> None:
    experiments = {entry.experiment for entry in challenge.entries.select_related("experiment")}
    with transaction.atomic():
        challenge.delete()
        for experiment in experiments:
            experiment.delete()  # with its studies
