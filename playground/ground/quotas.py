"""Whose quota a request counts against: the class that admitted the viewer by its code, else the viewer's address.

A browser that sends no cookie is a new owner each time, so limits of owners alone bound nobody. All viewers of an
address therefore share one quota and one turn, whatever their sessions. A class counts by itself, because a lecture
hall is one address, and its quota grows with its size.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db import DatabaseError, transaction
from django.db.models import Model, Q, QuerySet, Sum
from django.utils import timezone

from playground.errors import PlaygroundError, problem
from playground.ground.viewers import Viewer, hash_token
from playground.models import Classroom, Experiment, Student
from playground.storage import files

#: How often the opening of an experiment is noted.
_NOTED_EVERY = timedelta(days=1)
#: What an experiment takes beside its JSON: its row, its entries in indexes, its runs' rows.
_ROW_BYTES = 2_000


@dataclass(frozen=True)
class Quota:
    """A group that shares quotas: its `key`, empty for what the site itself makes, and the `people` of a class."""

    key: str
    people: int = 0

    def most(self, setting: str, *, each: int = 1) -> int:
        """Return a limit: that of an address, or `each` for every person of a class if that is more."""
        limit: int = getattr(settings, setting)
        return max(limit, each * self.people)

    @property
    def name(self) -> str:
        return "this class" if self.people else "this network address"


def quota_of(viewer: Viewer) -> Quota:
    """Return the quota that a viewer's requests count against."""
    who = Q(pk__in=[])
    if viewer.session_key:
        who |= Q(owner_session=viewer.session_key)
    if viewer.token:
        who |= Q(owner_token_hash=hash_token(viewer.token))
    if viewer.session_key or viewer.token:
        since = timezone.now() - timedelta(hours=settings.KEEP_CLASS_CODES_HOURS)
        # A homework lasts for weeks: only what it computes itself counts against it, not all that its people do.
        taught = Classroom.objects.filter(used_at__gte=since, due_at=None)
        member = Student.objects.filter(who, removed_at=None, classroom__in=taught)
        found = member.order_by("-classroom__used_at").values_list("classroom", flat=True).first()
        found = found or taught.filter(who).values_list("pk", flat=True).first()
        if found is not None:
            return quota_of_key(key_of_class(found))
    return quota_of_key(viewer.counts_under)


def key_of_class(pk: int) -> str:
    return f"c{pk}"


def key_of_closed(address: str) -> str:
    """Return the key under which counts what closed classes of an address left; empty for the site's own."""
    return f"o{address[1:]}" if address else ""


def quota_of_key(key: str) -> Quota:
    """Return the quota that something stored under a key counts against."""
    if not key.startswith("c"):
        return Quota(key)
    return Quota(key, Student.objects.filter(classroom=int(key[1:]), removed_at=None).count() + 1)


def refuse_more(quota: Quota, rows: QuerySet[Model], *, setting: str, what: str, kind: str, remedy: str) -> None:
    """Refuse another one of `what` if a group has as many as it may. Raises PlaygroundError (429)."""
    if not quota.key:
        return
    have, most = rows.count(), quota.most(setting)
    if have >= most:
        allowed = f"at most {most:,} (setting PLAYGROUND_{setting})"
        item = problem("", f"{quota.name} has {have:,} {what}", allowed=allowed, remedy=remedy)
        raise PlaygroundError(429, kind, f"Too many {what}", (item,))


def refuse_experiment(quota: Quota, size: int) -> int:
    """Return the bytes that an experiment counts. Raises PlaygroundError if there is no room for them."""
    size += _ROW_BYTES
    refuse_full_disk(size)
    if quota.key:
        mine = Experiment.objects.filter(counts_under=quota.key)
        have = mine.aggregate(total=Sum("stored_bytes"))["total"] or 0
        most = quota.most("LIMIT_STORED_BYTES_PER_ADDRESS", each=settings.LIMIT_STORED_BYTES_PER_STUDENT)
        if have + size > most:
            allowed = f"at most {most:,} (setting PLAYGROUND_LIMIT_STORED_BYTES_PER_ADDRESS)"
            remedy = f"unused experiments go after {settings.KEEP_EXPERIMENTS_DAYS} days, deleted ones after a day"
            item = problem("", f"experiments of {quota.name} take {have:,} bytes", allowed=allowed, remedy=remedy)
            raise PlaygroundError(429, "too-much-stored", "There is no room for another experiment", (item,))
    return size


def refuse_shared(experiment: Experiment) -> None:
    """Refuse to keep another experiment for good for its address or class. Raises PlaygroundError (429)."""
    quota = quota_of_key(experiment.counts_under)
    if experiment.shared_at is None and quota.key:
        refuse_more(
            quota,
            Experiment.objects.filter(counts_under=quota.key).exclude(shared_at=None),
            setting="LIMIT_SHARED_PER_ADDRESS", what="shared experiments", kind="too-many-shared",
            remedy=f"delete some, or share a link that holds the experiment; this one is kept for "
            f"{settings.KEEP_EXPERIMENTS_DAYS} days after its last use",
        )  # fmt: skip


def note_opened(experiment: Experiment) -> None:
    """Note that a user opened an experiment, so that it is kept."""
    now = timezone.now()
    if now - (experiment.opened_at or experiment.created_at) < _NOTED_EVERY:
        return
    # A full disk must not keep anyone from reading.
    with suppress(DatabaseError), transaction.atomic():
        Experiment.objects.filter(pk=experiment.pk).update(opened_at=now)
    experiment.opened_at = now


def refuse_full_disk(size: int) -> None:
    """Refuse to store bytes that would leave less free than the server keeps. Raises PlaygroundError (507)."""
    if is_full(size):
        raise disk_is_full()


def disk_is_full() -> PlaygroundError:
    item = problem("", "the disk of the server is full", remedy="nothing was stored; try again later")
    return PlaygroundError(507, "no-room", "The server has no room", (item,), retry_after_s=60)


def is_full(size: int = 0) -> bool:
    """Return True if a disk that the server writes to has no room for `size` bytes; an object store always has."""
    return files.free_bytes() < size + settings.KEEP_FREE_BYTES
