"""Files in an object store: the same names and errors as in a folder, and read in ranges."""

from __future__ import annotations

import io
import os
import random
import re
import zipfile
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command
from django.utils import timezone
from pytest_django import Settings

from playground.errors import PlaygroundError
from playground.ground.simulator import resolve_trace
from playground.models import Trace
from playground.storage import files
from tests.s3 import KEYS, s3_server, storage_url
from tests.support import PROJECT, free_port, settings_under
from tests.tiers import all_but_wide

NOBODY = f"http://127.0.0.1:{free_port()}"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with s3_server() as started:
        yield started


@pytest.fixture
def store(
    address: str, settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, request: Any
) -> Iterator[None]:
    """Let Django's default storage lie in a part of the bucket of its own."""
    for name, value in KEYS.items():
        monkeypatch.setenv(name, value)
    url = storage_url(address, f"{request.node.name}/inner")
    settings.DATA_DIR = tmp_path / "var"
    settings.STORAGES = settings_under(PLAYGROUND_STORAGE_URL=url)["STORAGES"]
    yield
    del settings.STORAGES  # the folder again, for tests that follow


@pytest.fixture(params=["folder", "store"])
def either(request: pytest.FixtureRequest, settings: Settings, tmp_path: Path) -> str:
    """Let files lie in a folder, and in an object store."""
    if request.param == "store":
        request.getfixturevalue("store")
    else:
        settings.MEDIA_ROOT = tmp_path / "recordings"
    return str(request.param)


@pytest.fixture
def fetched(store: None) -> list[int]:
    """Collect the bytes of each answer that holds a part of an object."""
    counts: list[int] = []
    events = default_storage.connection.meta.client.meta.events  # type: ignore[attr-defined]
    events.register("after-call.s3.GetObject", lambda parsed, **_: counts.append(parsed.get("ContentLength", 0)))
    return counts


def noise(size: int) -> bytes:
    return random.Random(size).randbytes(size)


def test_one_frame_of_a_large_recording_is_read_without_the_rest(fetched: list[int]) -> None:
    """40 MB in 200 parts: opening reads the end of the file, and a part what lies around it."""
    whole, part = io.BytesIO(), noise(200_000)
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_STORED) as archive:
        for number in range(200):
            archive.writestr(f"frames/{number:06d}.msgpack", part[number:] + part[:number])
    name = default_storage.save("runs/large.zip", ContentFile(whole.getvalue()))

    with default_storage.open(name, "rb") as file, zipfile.ZipFile(file) as archive:
        assert file.size == len(whole.getvalue()) > 40_000_000
        assert archive.read("frames/000150.msgpack") == part[150:] + part[:150]
        assert archive.read("frames/000003.msgpack") == part[3:] + part[:3]
    assert sum(fetched) < 3_000_000
    assert len(fetched) <= 4
    with default_storage.open(name, "rb") as file:
        assert file.read() == whole.getvalue()
    assert len(fetched) <= 4 + 3


def test_columns_of_a_table_are_read_without_the_others(fetched: list[int]) -> None:
    columns = {f"column_{number}": np.frombuffer(noise(2_000_000), np.int64) for number in range(8)}
    sink = io.BytesIO()
    pq.write_table(pa.table(columns), sink, compression="none", use_dictionary=False)
    name = default_storage.save("runs/tasks.parquet", ContentFile(sink.getvalue()))
    with default_storage.open(name, "rb") as file:
        assert pq.read_table(file, columns=["column_5"]).num_rows == 250_000
    assert sum(fetched) < 4_000_000 < len(sink.getvalue())


@pytest.mark.parametrize("size", all_but_wide([0, 1, 65_536, 65_537, 3_000_000, 17_000_001], [0, 65_537]))
def test_what_is_stored_is_read(either: str, tmp_path: Path, size: int) -> None:
    """Sizes around the tail that comes with the opening, and two parts of an upload in parts."""
    (tmp_path / "file").write_bytes(noise(size))
    name = files.keep(tmp_path / "file", "runs/some.zip")
    assert default_storage.size(name) == size
    with default_storage.open(name, "rb") as file:
        assert file.read() == noise(size)
        file.seek(-min(size, 70_000), os.SEEK_END)
        assert file.read(10) == noise(size)[-min(size, 70_000) :][:10]
        assert file.seek(0) == 0
        assert b"".join(file.chunks(100_000)) == noise(size)


def test_a_second_file_of_one_name_has_another_name(either: str) -> None:
    first = default_storage.save("snapshots/run.zip", ContentFile(b"first"))
    second = default_storage.save("snapshots/run.zip", ContentFile(b"second"))
    assert first != second
    with default_storage.open(first, "rb") as file:
        assert file.read() == b"first"


def test_a_second_name_outlives_the_first(either: str) -> None:
    name = default_storage.save("runs/one.zip", ContentFile(b"frames"))
    other = files.second_name(name, "runs/two.zip")
    default_storage.delete(name)
    assert not default_storage.exists(name)
    with default_storage.open(other, "rb") as file:
        assert file.read() == b"frames"


def test_a_path_leads_to_the_same_bytes(either: str, settings: Settings) -> None:
    name = default_storage.save("traces/one", ContentFile(b"columns"))
    path = files.on_this_machine(name)
    assert path.read_bytes() == b"columns"
    assert files.on_this_machine(name) == path
    assert (path.parent == Path(settings.DATA_DIR) / "copies") == (either == "store")


def test_copies_on_this_machine_make_room_for_each_other(store: None, settings: Settings) -> None:
    """The copy that was used longest ago goes; one that was used within the hour stays."""
    settings.KEEP_COPIES_BYTES = 250
    paths = [files.on_this_machine(default_storage.save(f"traces/{n}", ContentFile(bytes(100)))) for n in range(2)]
    os.utime(paths[0], (0, 0))
    third = files.on_this_machine(default_storage.save("traces/2", ContentFile(bytes(100))))
    assert not paths[0].exists()
    assert paths[1].exists()
    assert third.exists()
    assert {path.name for path in third.parent.iterdir()} == {"traces-1", "traces-2"}


def test_files_that_no_row_names_are_found_by_age(either: str) -> None:
    names = [default_storage.save(f"traces/{name}", ContentFile(b"x")) for name in ("known", "stray")]
    soon = timezone.now() + timedelta(seconds=5)
    assert list(files.unnamed("traces", {names[0]}, soon)) == [names[1]]
    assert list(files.unnamed("traces", {names[0]}, soon - timedelta(hours=1))) == []
    assert list(files.unnamed("nothing", set(), soon)) == []


def test_what_is_not_there_is_missed_as_in_a_folder(either: str, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        default_storage.open("runs/none.zip", "rb")
    with pytest.raises(FileNotFoundError):
        default_storage.size("runs/none.zip")
    with pytest.raises(FileNotFoundError):
        files.on_this_machine("traces/none").read_bytes()
    default_storage.delete("runs/none.zip")


def test_a_store_that_does_not_answer_is_an_os_error(store: None, settings: Settings) -> None:
    settings.STORAGES = settings_under(PLAYGROUND_STORAGE_URL=storage_url(NOBODY))["STORAGES"]
    for attempt in (
        lambda: default_storage.open("runs/one.zip", "rb"),
        lambda: default_storage.exists("runs/one.zip"),
        lambda: default_storage.save("runs/one.zip", ContentFile(b"x")),
    ):
        with pytest.raises(OSError, match="object store"):
            attempt()


@pytest.mark.django_db
def test_a_trace_whose_file_is_gone_or_out_of_reach_is_told_apart(store: None, settings: Settings) -> None:
    trace = Trace.objects.create(name="x", format="sparrow", file="traces/x", bytes=1, jobs=1, tasks=1, span_s=0)
    with pytest.raises(LookupError):
        resolve_trace(trace.public_id)
    settings.STORAGES = settings_under(PLAYGROUND_STORAGE_URL=storage_url(NOBODY))["STORAGES"]
    with pytest.raises(PlaygroundError) as raised:
        resolve_trace(trace.public_id)
    assert raised.value.status == 503


def test_a_process_does_not_start_without_its_store(store: None, settings: Settings) -> None:
    files.try_out()
    assert default_storage.listdir("")[1] == []
    settings.STORAGES = settings_under(PLAYGROUND_STORAGE_URL=storage_url(NOBODY))["STORAGES"]
    for command in (["web"], ["worker", "runs"]):
        with pytest.raises(CommandError, match="PLAYGROUND_STORAGE_URL"):
            call_command(*command)


def test_an_object_that_is_replaced_while_it_is_read_is_an_error(store: None) -> None:
    name = default_storage.save("runs/one.zip", ContentFile(noise(300_000)))
    with default_storage.open(name, "rb") as file:
        default_storage.delete(name)
        default_storage.save(name, ContentFile(noise(300_001)))
        with pytest.raises(OSError, match="object store"):
            file.read(100)


def test_only_one_module_asks_where_files_lie() -> None:
    """Elsewhere a path would work in the embedded folder and fail with an object store."""
    asks = re.compile(r"storage\.path\(|\bfile\.path\b|MEDIA_ROOT|settings\.DATA_DIR")
    found = {
        path.relative_to(PROJECT).as_posix()
        for path in (PROJECT / "playground").rglob("*.py")
        if asks.search(path.read_text())
    }
    # The supervisor's lock, Redis' socket and the private key belong to this machine.
    assert found == {"playground/storage/files.py", "playground/management/commands/play.py", "playground/settings.py"}
