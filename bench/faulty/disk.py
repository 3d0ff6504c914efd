"""A small disk of its own that fills up or hangs: an ext4 file system in a file. It takes root and a loop device."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

_MEGABYTES = 300
_FULL_S = 6.0
#: A slow disk answers for a moment, then lets everybody wait: three quarters of the time.
_HANGS_S, _ANSWERS_S, _TIMES = 0.75, 0.25, 8
_FILLER_BYTES = 1 << 20


@dataclass(frozen=True)
class Disk:
    """Where it is mounted."""

    place: Path

    def fill(self) -> None:
        """Leave no byte of room for some seconds."""
        filler = self.place / "filler"
        try:
            with suppress(OSError), filler.open("wb", buffering=0) as file:
                while file.write(b"\1" * _FILLER_BYTES):
                    pass
            time.sleep(_FULL_S)
        finally:
            filler.unlink()

    def hang(self) -> None:
        """Let every write wait, again and again. The shell thaws what it froze, also if this process dies."""
        step = f"fsfreeze -f {self.place}; sleep {_HANGS_S}; fsfreeze -u {self.place}; sleep {_ANSWERS_S}"
        subprocess.run(["sh", "-c", "; ".join([step] * _TIMES)], check=True, start_new_session=True)


@contextmanager
def small_disk(folder: Path) -> Iterator[Disk | None]:
    """Mount a disk at `folder`/disk; None where this machine does not let us, which is said."""
    place, image = folder / "disk", folder / "disk.image"
    place.mkdir()
    with image.open("wb") as file:
        file.truncate(_MEGABYTES << 20)
    made = os.geteuid() == 0 and _ran("mkfs.ext4", "-q", "-F", "-m", "0", str(image))
    if not made or not _ran("mount", "-o", "loop", str(image), str(place)):
        print("no disk of its own (this takes root and a loop device): no disk becomes full or slow", flush=True)
        yield None
        return
    try:
        yield Disk(place)
    finally:
        _ran("umount", "--lazy", str(place))


def _ran(*command: str) -> bool:
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False
