"""Files in an S3 store by django-storages, with range reads and errors that are OSError."""

from __future__ import annotations

import functools
import io
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import IO, Any

from boto3.s3.transfer import TransferConfig
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from django.core.files import File
from storages.backends.s3 import S3Storage
from storages.utils import clean_name

#: Small reads fetch so much at once.
_BLOCK_BYTES = 1 << 20
#: The end of a file comes with the request that opens it: a ZIP's directory and a parquet file's footer are there.
_TAIL_BYTES = 1 << 16
_PART_BYTES = 1 << 24
#: A store that hangs holds up a request for three quarters of a minute at most.
_CONNECT_S, _READ_S, _ATTEMPTS = 5, 15, 3
_one_at_a_time = threading.Lock()


class S3Files(S3Storage):
    """Django's storage on S3; options are those of django-storages."""

    def __init__(self, **options: Any) -> None:
        path_style = options.pop("path_style", False)
        super().__init__(
            **options,
            # Names are unique but for an attempt's second snapshot, which must not replace the first during a read.
            file_overwrite=False,
            default_acl=None,
            # Workers are forks, and a run has a core of its own: no threads.
            transfer_config=TransferConfig(
                use_threads=False, multipart_threshold=_PART_BYTES, multipart_chunksize=_PART_BYTES
            ),
            client_config=Config(
                s3={"addressing_style": "path" if path_style else "auto"},
                connect_timeout=_CONNECT_S,
                read_timeout=_READ_S,
                retries={"mode": "standard", "total_max_attempts": _ATTEMPTS},
                # Servers that only speak S3 know the newer checksums not always.
                request_checksum_calculation="when_required",
                response_checksum_validation="when_required",
            ),
        )

    @property
    def connection(self) -> Any:
        """Return one connection for all threads of this process: each would take 0.2 s to make."""
        return _connection(self, os.getpid())

    @property
    def bucket(self) -> Any:
        return self.connection.Bucket(self.bucket_name)

    def _open(self, name: str, mode: str = "rb") -> File[bytes]:
        if mode != "rb":
            raise ValueError("files in the object store are opened for reading; `save` writes them")
        with _as_os_errors(name):
            raw = _Ranges(self.connection.meta.client, self.bucket_name, self._key(name))
            return _Opened(io.BufferedReader(raw, _BLOCK_BYTES), name, raw.bytes)

    def copy(self, source: str, target: str) -> str:
        """Copy an object inside the store; return the name of the copy."""
        name: str = self.get_available_name(target)
        with _as_os_errors(source):
            place = {"Bucket": self.bucket_name, "Key": self._key(source)}
            self.connection.meta.client.copy(place, self.bucket_name, self._key(name), Config=self.transfer_config)
        return name

    def _key(self, name: str) -> str:
        key: str = self._normalize_name(clean_name(name))
        return key

    def _save(self, name: str, content: IO[bytes]) -> str:
        with _as_os_errors(name):
            saved: str = super()._save(name, content)
            return saved

    def delete(self, name: str) -> None:
        with _as_os_errors(name):
            super().delete(name)

    def exists(self, name: str) -> bool:
        with _as_os_errors(name):
            return bool(super().exists(name))

    def listdir(self, name: str) -> tuple[list[str], list[str]]:
        with _as_os_errors(name):
            folders, files = super().listdir(name)
            return folders, files

    def size(self, name: str) -> int:
        with _as_os_errors(name):
            return int(super().size(name))

    def get_modified_time(self, name: str) -> datetime:
        with _as_os_errors(name):
            moment: datetime = super().get_modified_time(name)
            return moment


class _Opened(File):  # type: ignore[type-arg]
    """A file whose size is known since it was opened."""

    def __init__(self, file: IO[bytes] | io.BufferedReader, name: str, size: int) -> None:
        super().__init__(file, name)
        self.size = size


class _Ranges(io.RawIOBase):
    """An object, read by requests for ranges of it. It is the same object at each request, or reading fails."""

    def __init__(self, client: Any, bucket: str, key: str) -> None:
        self._get = functools.partial(client.get_object, Bucket=bucket, Key=key)
        self._at = 0
        try:
            found = self._get(Range=f"bytes=-{_TAIL_BYTES}")
        except ClientError as error:
            if _status(error) != 416:  # an empty object has no range
                raise
            found = self._get()
        self._tail: bytes = found["Body"].read()
        # "bytes 934465-1000000/1000001"; the whole object has no such header.
        self.bytes = int(found.get("ContentRange", f"/{len(self._tail)}").rsplit("/", 1)[1])
        self._get = functools.partial(self._get, IfMatch=found["ETag"])

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._at = max(0, offset + {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self.bytes}[whence])
        return self._at

    def readinto(self, buffer: Any) -> int:
        found = self._range(len(buffer))
        buffer[: len(found)] = found
        self._at += len(found)
        return len(found)

    def readall(self) -> bytes:
        """Return the rest by one or two requests, where the inherited method makes one for every 8 KB."""
        parts = []
        while part := self._range(self.bytes):
            parts.append(part)
            self._at += len(part)
        return b"".join(parts)

    def _range(self, most: int) -> bytes:
        """Return up to `most` bytes from here; none at the end."""
        end, tail = min(self._at + most, self.bytes), self.bytes - len(self._tail)
        if self._at >= tail:
            return self._tail[self._at - tail : end - tail]
        with _as_os_errors("a file that is open"):
            found: bytes = self._get(Range=f"bytes={self._at}-{min(end, tail) - 1}")["Body"].read()
        return found


@functools.lru_cache(maxsize=8)
def _made(storage: S3Files, process: int) -> Any:
    return storage._create_session().resource(
        "s3",
        region_name=storage.region_name,
        use_ssl=storage.use_ssl,
        endpoint_url=storage.endpoint_url,
        config=storage.client_config,
        verify=storage.verify,
    )


def _connection(storage: S3Files, process: int) -> Any:
    with _one_at_a_time:
        return _made(storage, process)


os.register_at_fork(
    before=_one_at_a_time.acquire,
    after_in_parent=_one_at_a_time.release,
    after_in_child=_one_at_a_time.release,
)


@contextmanager
def _as_os_errors(name: str) -> Iterator[None]:
    """Raise what a file on a disk would raise."""
    try:
        yield
    except ClientError as error:
        if _status(error) == 404:
            raise FileNotFoundError(f"the object store has no {name}") from error
        raise OSError(f"the object store refused {name}: {error}") from error
    except BotoCoreError as error:
        raise OSError(f"the object store did not answer for {name}: {error}") from error


def _status(error: ClientError) -> int:
    return int(error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0))
