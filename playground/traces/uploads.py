"""Uploads in progress, by the tus protocol 1.0.0 (core, creation, termination, expiration; tus.io).

An upload is a row, and a row and a stored file for each PATCH, outside of everything that is served. A PATCH adds bytes
at the offset that both sides agree on, so after a dropped connection the sender asks for the offset and goes on,
whichever web process answers. The web server hands a request over only when it is whole: what a dropped connection
loses is the PATCH under way, which is why senders send pieces.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import IO

from django.conf import settings
from django.core.files.storage import default_storage
from django.db import IntegrityError, transaction
from django.db.models import Sum
from django.utils import timezone

from playground.errors import PlaygroundError, not_found, not_yours, problem
from playground.ground.quotas import is_full, quota_of
from playground.ground.simulator import is_trace_id
from playground.ground.viewers import Viewer, hash_token, new_owner_token
from playground.models import Upload, UploadPiece
from playground.storage import files
from playground.traces.clusters import HEAD_BYTES, refuse_unfiltered
from playground.traces.service import clean_name, refuse_too_many, too_many_bytes

FOLDER = "uploads"
_BLOCK_BYTES = 1 << 18
_MOST_UNFINISHED = 10
_MOST_PIECES = 2_000
#: So much of a file, packed or not, tells what it is.
_TELLING_BYTES = 1_000_000
#: Uploads of the largest size that all viewers together may have under way.
_MOST_AT_ONCE = 50


@dataclass(frozen=True)
class Begun:
    """An upload that may begin, and the token of its owner."""

    upload: Upload
    owner_token: str


def begin_upload(*, length: int, name: str, viewer: Viewer) -> Begun:
    """Make room for a file of `length` bytes. Raises PlaygroundError."""
    if length > settings.LIMIT_UPLOAD_BYTES:
        raise too_many_bytes()
    if length < 1:
        item = problem("Upload-Length", "the file is empty", allowed="at least 1 byte")
        raise PlaygroundError(422, "invalid-trace", "There is nothing to upload", (item,))
    refuse_too_many(viewer, length)
    token = viewer.token or new_owner_token()
    mine = Upload.objects.filter(owner_session=viewer.session_key) if viewer.session_key else Upload.objects.none()
    mine |= Upload.objects.filter(owner_token_hash=hash_token(token))
    if mine.count() >= _MOST_UNFINISHED:
        item = problem("", f"{_MOST_UNFINISHED} of your uploads are not finished", remedy="finish or delete one")
        raise PlaygroundError(429, "too-many-uploads", "Too many uploads", (item,))
    _refuse_without_room(length)
    upload = Upload.objects.create(
        name=clean_name(name), bytes=length, owner_session=viewer.session_key, owner_token_hash=hash_token(token),
        touched_at=timezone.now(), counts_under=quota_of(viewer).key,
    )  # fmt: skip
    return Begun(upload, token)


def _refuse_without_room(length: int) -> None:
    """Keep what is announced within bounds for all viewers together: who shows no cookie is a new one each time."""
    announced = Upload.objects.aggregate(total=Sum("bytes"))["total"] or 0
    if announced + length > _MOST_AT_ONCE * settings.LIMIT_UPLOAD_BYTES or is_full(2 * length):
        item = problem("", "the server has no room for more uploads right now", remedy="try again in a while")
        raise PlaygroundError(503, "no-room", "There is no room for the upload", (item,), retry_after_s=60)


def offset_of(upload: Upload) -> int:
    """Return the number of bytes that have arrived."""
    return upload.pieces.aggregate(total=Sum("bytes"))["total"] or 0


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
        item = problem(field, f"{have:,} of {upload.bytes:,} bytes have arrived", remedy="send the rest first")
        raise PlaygroundError(409, "not-finished", "The upload is not finished", (item,))
    return upload


def append_to_upload(*, upload: Upload, offset: int, source: IO[bytes]) -> int:
    """Add what was sent at an offset; return the new one. Raises PlaygroundError (409) where offsets differ."""
    if offset != offset_of(upload):
        raise _other_offset(upload, offset)
    if upload.pieces.count() >= _MOST_PIECES:
        item = problem("", f"{_MOST_PIECES:,} pieces have arrived", remedy="send it again in larger pieces")
        raise PlaygroundError(413, "too-many-pieces", "The upload has too many pieces", (item,))
    with files.scratch() as path:
        size = _receive(source, path, upload.bytes - offset)
        if offset == 0 and size >= min(HEAD_BYTES, upload.bytes):
            refuse_unfiltered(path)
        if size:
            _add_piece(upload, offset, size, files.keep(path, f"{FOLDER}/{upload.public_id}.{offset:015d}"))
    Upload.objects.filter(pk=upload.pk).update(touched_at=timezone.now())
    if offset and offset + size == upload.bytes:
        _refuse_unfiltered_whole(upload)
    return offset + size


def _refuse_unfiltered_whole(upload: Upload) -> None:
    """Delete and refuse an export whose first piece was too short to tell. Raises PlaygroundError."""
    with files.scratch() as path:
        for piece in upload.pieces.order_by("offset"):
            files.copy_to(piece.file, path)
            if piece.offset + piece.bytes >= _TELLING_BYTES:
                break
        try:
            refuse_unfiltered(path)
        except PlaygroundError:
            delete_upload(upload)
            raise


def _receive(source: IO[bytes], path: Path, most: int) -> int:
    """Write what was sent to a file; return its number of bytes."""
    size = 0
    with path.open("wb") as file:
        while block := source.read(min(_BLOCK_BYTES, most - size + 1)):
            size += len(block)
            if size > most:
                item = problem("", "more bytes arrived than were announced", allowed=f"{most:,} more")
                raise PlaygroundError(413, "too-large", "The upload is longer than announced", (item,))
            file.write(block)
    return size


def _add_piece(upload: Upload, offset: int, size: int, stored: str) -> None:
    try:
        with transaction.atomic():
            UploadPiece.objects.create(upload=upload, offset=offset, bytes=size, file=stored)
    except IntegrityError:
        # Another request was first or deleted the upload.
        default_storage.delete(stored)
        raise _other_offset(upload, offset) from None


def _other_offset(upload: Upload, offset: int) -> PlaygroundError:
    if not Upload.objects.filter(pk=upload.pk).exists():
        return not_found("upload")
    have = offset_of(upload)
    item = problem("Upload-Offset", f"is {offset:,}", allowed=f"{have:,}", remedy="continue from there")
    return PlaygroundError(409, "other-offset", "The upload continues elsewhere", (item,))


@contextmanager
def whole_file(upload_id: str) -> Iterator[Path]:
    """Give a file of this machine with all bytes of an upload, for a while. Raises LookupError and OSError."""
    pieces = list(UploadPiece.objects.filter(upload__public_id=upload_id))
    if not pieces:
        raise LookupError(upload_id)
    with files.scratch() as path:
        for piece in pieces:
            files.copy_to(piece.file, path)
        yield path


def expires_at(upload: Upload) -> str:
    """Return the HTTP date at which an upload is deleted unless more of it arrives."""
    end = upload.touched_at + timedelta(hours=settings.KEEP_UPLOADS_HOURS)
    return end.strftime("%a, %d %b %Y %H:%M:%S GMT")


def delete_upload(upload: Upload) -> None:
    stored = list(upload.pieces.values_list("file", flat=True))
    upload.delete()
    for name in stored:
        default_storage.delete(name)


def remove_old_uploads() -> None:
    """Delete uploads that nobody went on with, and files that no row names."""
    oldest = timezone.now() - timedelta(hours=settings.KEEP_UPLOADS_HOURS)
    for upload in Upload.objects.filter(touched_at__lt=oldest)[:200]:
        delete_upload(upload)
    known = set(UploadPiece.objects.values_list("file", flat=True))
    for name in files.unnamed(FOLDER, known, oldest):
        default_storage.delete(name)


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
