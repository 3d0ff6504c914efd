"""Open plain, gzip and zstd files, and decompress them while reading."""

from __future__ import annotations

import gzip
import io
from pathlib import Path
from typing import IO, Any, cast

GZIP, ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"


class Opened:
    """A file under way: what is packed in it, and the reader's place in the file itself."""

    def __init__(self, path: Path) -> None:
        self.size = path.stat().st_size
        self._plain = path.open("rb")
        head = self._plain.read(4)
        self._plain.seek(0)
        self._stream: IO[bytes] = self._plain
        if head.startswith(GZIP):
            self._stream = cast("IO[bytes]", gzip.GzipFile(fileobj=self._plain))
        elif head == ZSTD:
            import pyarrow as pa

            unpacking: Any = pa.CompressedInputStream(pa.PythonFile(self._plain, mode="r"), "zstd")
            self._stream = cast("IO[bytes]", io.BufferedReader(unpacking, 1 << 16))

    def read(self, size: int = -1) -> bytes:
        """Return at most `size` unpacked bytes; damaged content raises here."""
        return self._stream.read(size)

    @property
    def position(self) -> int:
        """Return the number of bytes read of the file itself."""
        return self._plain.tell()

    def close(self) -> None:
        """Close the file."""
        if self._stream is not self._plain:
            self._stream.close()
        self._plain.close()

    def __enter__(self) -> Opened:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Rewritten(io.RawIOBase):
    """A packed file whose text changes during the reading; `read` is the subclass's."""

    def __init__(self, path: Path) -> None:
        self._file, self._rest = opened(path), b""

    def close(self) -> None:
        """Close the file as well."""
        self._file.close()
        super().close()

    @property
    def position(self) -> int:
        """Return the number of bytes read of the file itself."""
        return self._file.position

    @property
    def size(self) -> int:
        """Return the size of the file itself in bytes."""
        return self._file.size


def opened(path: Path) -> Opened:
    """Open a plain, gzip or zstd file for reading its decompressed content."""
    return Opened(path)
