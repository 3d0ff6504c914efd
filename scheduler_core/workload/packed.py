"""Opens files that are plain, in gzip or in zstd, and unpacks them as they are read."""

from __future__ import annotations

import gzip
import io
from pathlib import Path
from typing import IO, Any, cast

GZIP, ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"


def opened(path: Path) -> IO[bytes]:
    """Open a file for reading what is packed in it; what is damaged shows when it is read."""
    with path.open("rb") as plain:
        head = plain.read(4)
    if head.startswith(GZIP):
        return cast("IO[bytes]", gzip.open(path))
    if head == ZSTD:
        import pyarrow as pa

        stream: Any = pa.CompressedInputStream(pa.OSFile(str(path)), "zstd")
        return cast("IO[bytes]", io.BufferedReader(stream, 1 << 16))
    return path.open("rb")
