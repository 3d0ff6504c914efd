"""Files of runs, uploads and traces, in Django's default storage: a folder or an object store.

Names are the same in both. A folder gives its own paths, so nothing is copied there. An object store gives a copy on
this machine to what needs a path; everything else reads ranges of the object.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.core.files import File
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

_BLOCK_BYTES = 1 << 20
#: Keep a copy for this time after its last use: a process may be about to open it.
_IN_USE_S = 3600.0


class _Handed(File):  # type: ignore[type-arg]
    """A finished file whose path Django's folder storage moves instead of copying."""

    def __init__(self, path: Path) -> None:
        super().__init__(path.open("rb"))
        self._path = path

    def temporary_file_path(self) -> str:
        return str(self._path)


def keep(path: Path, name: str) -> str:
    """Store a finished file and return its name there; the file at `path` may be gone afterwards. Raises OSError."""
    with _Handed(path) as file:
        return default_storage.save(name, file)


def folder() -> Path | None:
    """Return the folder of the storage; None if the files lie in an object store."""
    try:
        return Path(default_storage.path(""))
    except NotImplementedError:
        return None


def free_bytes() -> int:
    """Return the free space of the fullest disk that the server writes to; an object store always has room."""
    places = {Path(settings.DATA_DIR), folder() or Path(settings.DATA_DIR)}
    there = [next(each for each in (place, *place.parents) if each.exists()) for place in places]
    return min(shutil.disk_usage(place).free for place in there)


def try_out() -> None:
    """Write a file to an object store and delete it: a wrong key or bucket should show at the start. Raises OSError."""
    if folder() is None:
        default_storage.delete(default_storage.save("check", ContentFile(b"")))


def second_name(source: str, target: str) -> str:
    """Give a stored file a second name that outlives the first one; return the name. Raises OSError."""
    place = folder()
    if place is None:
        copied: str = default_storage.copy(source, target)  # type: ignore[attr-defined]
        return copied
    try:
        (place / target).parent.mkdir(parents=True, exist_ok=True)
        os.link(place / source, place / target)
        return target
    except OSError:
        with default_storage.open(source, "rb") as file:
            return default_storage.save(target, file)


def on_this_machine(name: str) -> Path:
    """Return a path to a stored file that is never changed: its own, or that of a copy. Raises OSError."""
    if folder() is not None:
        return Path(default_storage.path(name))
    copies = Path(settings.DATA_DIR) / "copies"
    path = copies / name.replace("/", "-")
    try:
        os.utime(path)
        return path
    except FileNotFoundError:
        pass
    copies.mkdir(parents=True, exist_ok=True)
    _remove_old_copies(copies, default_storage.size(name))
    with _unfinished(path) as unfinished:
        copy_to(name, unfinished)
        # Two may copy at once: both files are the same, and the second rename changes nothing.
        unfinished.rename(path)
    return path


@contextmanager
def borrowed(name: str) -> Iterator[Path]:
    """Give a path to a stored file for a while: its own, or that of a copy that is removed again. Raises OSError."""
    if folder() is not None:
        yield Path(default_storage.path(name))
        return
    with scratch() as path:
        copy_to(name, path)
        yield path


@contextmanager
def scratch() -> Iterator[Path]:
    """Give an empty file of this machine that is removed again, unless `keep` has moved it."""
    with tempfile.TemporaryDirectory(prefix="playground-file-") as place:
        path = Path(place) / "file"
        path.touch()
        yield path


def copy_to(name: str, path: Path) -> None:
    """Write a stored file's bytes to the end of a file on this machine. Raises OSError."""
    with default_storage.open(name, "rb") as source, path.open("ab") as target:
        shutil.copyfileobj(source, target, _BLOCK_BYTES)


def unnamed(place: str, known: Collection[str], before: datetime) -> Iterator[str]:
    """Yield names of files directly in `place` that are not in `known` and were written before a moment."""
    try:
        names = default_storage.listdir(place)[1]
    except FileNotFoundError:
        return
    for name in sorted(f"{place}/{each}" for each in names):
        if name not in known and _written_before(name, before):
            yield name


def _written_before(name: str, moment: datetime) -> bool:
    try:
        return default_storage.get_modified_time(name) < moment
    except OSError:
        return False  # another process removed it


@contextmanager
def _unfinished(path: Path) -> Iterator[Path]:
    """Give a file beside `path` that is removed unless it was renamed."""
    descriptor, name = tempfile.mkstemp(prefix=".unfinished-", dir=path.parent)
    os.close(descriptor)
    try:
        yield Path(name)
    finally:
        Path(name).unlink(missing_ok=True)


def _remove_old_copies(copies: Path, wanted_bytes: int) -> None:
    """Make room for a further copy: remove those that were used longest ago."""
    found = sorted(_used_and_bytes(copies))
    total = wanted_bytes + sum(size for _, size, _ in found)
    for used, size, path in found:
        if total <= settings.KEEP_COPIES_BYTES or time.time() - used < _IN_USE_S:
            return
        path.unlink(missing_ok=True)
        total -= size


def _used_and_bytes(copies: Path) -> Iterator[tuple[float, int, Path]]:
    for path in copies.iterdir():
        with suppress(FileNotFoundError):  # another process removed it
            stat = path.stat()
            yield stat.st_mtime, stat.st_size, path
