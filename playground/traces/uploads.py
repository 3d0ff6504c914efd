"""Files on their way to the server, by the tus protocol 1.0.0 (core, creation, termination, expiration; tus.io).

An upload is a row and a file named after its random id, outside of everything that is served. Each PATCH adds bytes at
the offset that both sides agree on, so after a dropped connection the sender asks for the offset and goes on. The web
server hands a request over only when it is whole: what a dropped connection loses is the PATCH under way, which is why
senders send pieces.
"""

from __future__ import annotations

import base64
import binascii
import fcntl
import os
import shutil
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import IO

from django.conf import settings
from django.core.files.storage import default_storage
from django.db.models import Sum
from django.utils import timezone

from playground.errors import PlaygroundError, not_found, not_yours, problem
from playground.ground.simulator import is_trace_id
from playground.ground.viewers import Viewer, hash_token, new_owner_token
from playground.models import Upload
from playground.traces.service import clean_name, refuse_too_many, too_many_bytes

FOLDER = "uploads"
_BLOCK_BYTES = 1 << 18
_MOST_UNFINISHED = 10
#: Uploads of the largest size that all viewers together may have under way, and what the disk keeps free.
_MOST_AT_ONCE = 50
_FREE_BYTES = 500_000_000


@dataclass(frozen=True)
class Begun:
    """An upload that may begin, and the token of its owner."""

    upload: Upload
    owner_token: str


def begin_upload(*, length: int, name: str, viewer: Viewer) -> Begun:
    """Make room for a file of so many bytes. Raises PlaygroundError."""
    if length > settings.LIMIT_UPLOAD_BYTES:
        raise too_many_bytes()
    if length < 1:
        item = problem("Upload-Length", "the file is empty", allowed="at least 1 byte")
        raise PlaygroundError(422, "invalid-trace", "There is nothing to upload", (item,))
    refuse_too_many(viewer)
    token = viewer.token or new_owner_token()
    mine = Upload.objects.filter(owner_session=viewer.session_key) if viewer.session_key else Upload.objects.none()
    mine |= Upload.objects.filter(owner_token_hash=hash_token(token))
    if mine.count() >= _MOST_UNFINISHED:
        item = problem("", f"{_MOST_UNFINISHED} of your uploads are not finished", remedy="finish or delete one")
        raise PlaygroundError(429, "too-many-uploads", "Too many uploads", (item,))
    _refuse_without_room(length)
    upload = Upload.objects.create(
        name=clean_name(name), bytes=length, owner_session=viewer.session_key, owner_token_hash=hash_token(token),
        touched_at=timezone.now(),
    )  # fmt: skip
    path = path_of(upload)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(exist_ok=False)
    return Begun(upload, token)


def _refuse_without_room(length: int) -> None:
    """Keep what is announced within bounds for all viewers together: who shows no cookie is a new one each time."""
    announced = Upload.objects.aggregate(total=Sum("bytes"))["total"] or 0
    folder = Path(default_storage.path(""))
    folder.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(folder).free
    if announced + length > _MOST_AT_ONCE * settings.LIMIT_UPLOAD_BYTES or free < 2 * length + _FREE_BYTES:
        item = problem("", "the server has no room for more uploads right now", remedy="try again in a while")
        raise PlaygroundError(503, "no-room", "There is no room for the upload", (item,), retry_after_s=60)


def path_of(upload: Upload) -> Path:
    return Path(default_storage.path(f"{FOLDER}/{upload.public_id}"))


def offset_of(upload: Upload) -> int:
    """Return how many bytes have come."""
    try:
        return path_of(upload).stat().st_size
    except OSError:
        raise not_found("upload") from None


def find_upload(*, upload_id: str, viewer: Viewer) -> Upload:
    """Find an upload of this viewer. Raises PlaygroundError."""
    upload = Upload.objects.filter(public_id=upload_id).first() if is_trace_id(upload_id) else None
    if upload is None:
        raise not_found("upload")
    if not viewer.owns(upload):
        raise not_yours("upload")
    return upload


def finished_upload(*, upload_id: str, viewer: Viewer, field: str) -> Upload:
    """Find an upload of which every byte has come. Raises PlaygroundError."""
    upload = find_upload(upload_id=upload_id, viewer=viewer)
    have = offset_of(upload)
    if have != upload.bytes:
        item = problem(field, f"{have:,} of {upload.bytes:,} bytes have come", remedy="send the rest first")
        raise PlaygroundError(409, "not-finished", "The upload is not finished", (item,))
    return upload


def append_to_upload(*, upload: Upload, offset: int, source: IO[bytes]) -> int:
    """Add what was sent at an offset; return the new one. Raises PlaygroundError (409) where offsets differ."""
    path = path_of(upload)
    try:
        file = path.open("r+b")
    except OSError:
        raise not_found("upload") from None
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            item = problem("", "another request adds to it right now", remedy="ask for the offset, then go on")
            raise PlaygroundError(423, "locked", "The upload is being added to", (item,)) from None
        have = os.fstat(file.fileno()).st_size
        if offset != have:
            item = problem("Upload-Offset", f"is {offset:,}", allowed=f"{have:,}", remedy="continue from there")
            raise PlaygroundError(409, "other-offset", "The upload continues elsewhere", (item,))
        file.seek(have)
        try:
            while block := source.read(min(_BLOCK_BYTES, upload.bytes - have + 1)):
                have += len(block)
                if have > upload.bytes:
                    item = problem("", "more bytes came than were announced", allowed=f"{upload.bytes:,}")
                    raise PlaygroundError(413, "too-large", "The upload is longer than announced", (item,))
                file.write(block)
        except BaseException:
            file.truncate(offset)
            raise
    Upload.objects.filter(pk=upload.pk).update(touched_at=timezone.now())
    return have


def expires_at(upload: Upload) -> str:
    """Say when an upload is deleted unless something comes, as HTTP writes dates."""
    end = upload.touched_at + timedelta(hours=settings.KEEP_UPLOADS_HOURS)
    return end.strftime("%a, %d %b %Y %H:%M:%S GMT")


def delete_upload(upload: Upload) -> None:
    path_of(upload).unlink(missing_ok=True)
    upload.delete()


def remove_old_uploads() -> None:
    """Delete uploads that nobody went on with, and files that no row names."""
    oldest = timezone.now() - timedelta(hours=settings.KEEP_UPLOADS_HOURS)
    for upload in Upload.objects.filter(touched_at__lt=oldest)[:200]:
        delete_upload(upload)
    folder = Path(default_storage.path(FOLDER))
    for path in sorted(folder.iterdir())[:2000] if folder.is_dir() else ():
        if path.stat().st_mtime < oldest.timestamp() and not Upload.objects.filter(public_id=path.name).exists():
            path.unlink(missing_ok=True)


def name_in_metadata(header: str) -> str:
    """Read the file's name out of tus metadata: pairs of a key and base64, parted by commas."""
    for pair in header[:4096].split(","):
        key, _, value = pair.strip().partition(" ")
        if key in ("filename", "name"):
            try:
                return base64.b64decode(value, validate=True).decode("utf-8", "replace")
            except (binascii.Error, ValueError):
                return "trace"
    return "trace"
