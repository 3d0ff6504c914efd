"""Scrub through a recording of 500 MB that lies in an object store: `python -m bench.scrub`.

    python -m bench.scrub --megabytes 50 --places 5     a short one

A web process shows a finished run whose recording is as large as asked for; its frames hold noise, so compressing does
not help. A viewer jumps about in the run by the run's socket, asks for parts of the file by HTTP, and at last begins to
download it. The table tells how many bytes the web process fetched from the store each time, how long an answer
took, and how much memory the web process needed at most above what it had before. Most of the seconds are those of the
tests' S3 server, which reads a large object whole for each request.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import statistics
import tempfile
import time
import urllib.request
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgpack
import numpy as np
from websockets.sync.client import connect

from bench.faulty.relay import Relay
from scheduler_core import Frame, RecordingReader
from scheduler_core.recording.file import CHUNK_FRAMES
from scheduler_core.recording.frames import LayerChange
from tests.s3 import BUCKET, KEYS, client, s3_server, storage_url
from tests.support import Playground, running_playground, small_experiment
from tests.support_api import Api

_FRAME_BYTES = 16_384
_PART_BYTES, _TAKEN_BYTES = 1_000_000, 20_000_000


def main() -> int:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=int, default=500, help="size of the recording")
    parser.add_argument("--places", type=int, default=8, help="number of jumps")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="scrub-") as folder, s3_server() as store:
        relay = Relay(store)
        variables = {"PLAYGROUND_STORAGE_URL": storage_url(relay.address, "scrub"), **KEYS}
        with running_playground(Path(folder) / "var", **variables) as play:
            api = Api(play.url)
            run = api.wait(api.start(small_experiment())["id"])
            assert run["state"] == "done", run
            frames, size = _enlarge(store, run["id"], args.megabytes * 1_000_000, Path(folder) / "large.zip")
            print(f"a recording of {size:,} bytes, {frames:,} frames\n")
            print("| what | bytes from the store, each | seconds, median | longest | memory of the web process |")
            print("|---|---|---|---|---|")
            for name, act, times in _acts(play.url, run, frames, size, args.places):
                print(_measured(name, act, times, play, relay), flush=True)
    return 0


def _acts(url: str, run: dict[str, Any], frames: int, size: int, places: int) -> Iterator[tuple[str, Any, int]]:
    chance = random.Random(1)
    address = f"{url}/api/v1/runs/{run['id']}/recording"
    _jump(run["socket_url"], 0)  # connected, and imported
    yield (
        "a jump by the socket, until a frame is there",
        lambda: _jump(run["socket_url"], chance.randrange(frames)),
        places,
    )
    yield "a part of 1 MB by HTTP", lambda: _part(address, chance.randrange(size - _PART_BYTES)), places
    yield "a download of the whole, of which 20 MB are taken", lambda: _begin_download(address), 1


def _enlarge(store: str, run_id: str, wanted: int, place: Path) -> tuple[int, int]:
    """Put a large recording of the same run in place of its own; return its number of frames and bytes."""
    s3 = client(store)
    listed = s3.list_objects_v2(Bucket=BUCKET, Prefix=f"scrub/runs/{run_id}")["Contents"]
    (key,) = [each["Key"] for each in listed if each["Key"].endswith(".zip")]
    own = io.BytesIO(s3.get_object(Bucket=BUCKET, Key=key)["Body"].read())
    chunks = max(1, wanted // (CHUNK_FRAMES * _FRAME_BYTES))
    with RecordingReader(own) as reader, zipfile.ZipFile(own) as old, zipfile.ZipFile(place, "w") as new:
        for name in old.namelist():
            if not name.startswith("frames/") and name != "index.json":
                new.writestr(name, old.read(name), zipfile.ZIP_DEFLATED)
        index = [[CHUNK_FRAMES * n, CHUNK_FRAMES * (n + 1) - 1, n, n + 1] for n in range(chunks)]
        new.writestr("index.json", json.dumps(index))
        for number in range(chunks):
            new.writestr(f"frames/{number:06d}.msgpack", _noisy_chunk(reader.frame(0), number))
    s3.upload_file(str(place), BUCKET, key)
    return chunks * CHUNK_FRAMES, place.stat().st_size


def _noisy_chunk(frame: Frame, number: int) -> bytes:
    chance = np.random.default_rng(number)
    numbers = range(CHUNK_FRAMES * number, CHUNK_FRAMES * (number + 1))
    return b"".join(
        replace(
            frame, seq=seq, from_seq=seq, t_ns=number, key=seq == numbers[0],
            layers={"noise": LayerChange(full=chance.integers(0, 256, _FRAME_BYTES, np.uint8))},
        ).encode()
        for seq in numbers
    )  # fmt: skip


def _jump(socket_url: str, seq: int) -> None:
    """Ask for everything from a frame on, as a viewer who goes there, and leave when the frame is there."""
    with connect(f"{socket_url}?after={seq - 1}", max_size=2**24) as socket:
        got = msgpack.unpackb(socket.recv(timeout=60))
        assert got["from_seq"] == seq, got.keys()


def _part(address: str, first: int) -> None:
    asked = urllib.request.Request(address, headers={"Range": f"bytes={first}-{first + _PART_BYTES - 1}"})
    with urllib.request.urlopen(asked, timeout=60) as answer:
        assert len(answer.read()) == _PART_BYTES


def _begin_download(address: str) -> None:
    """Take the first megabytes of the whole file, and leave."""
    with urllib.request.urlopen(address, timeout=60) as answer:
        for _ in range(_TAKEN_BYTES >> 16):
            assert answer.read(1 << 16)


def _measured(name: str, act: Callable[[], None], times: int, play: Playground, relay: Relay) -> str:
    took, before = [], relay.passed_bytes
    with _most_memory(play.children()["web"]) as most_mb:
        for _ in range(times):
            began = time.monotonic()
            act()
            took.append(time.monotonic() - began)
        # What was sent ahead when the viewer left.
        time.sleep(5)
    each = (relay.passed_bytes - before) / times
    median, longest = statistics.median(took), max(took)
    return f"| {name}, {times} times | {each:,.0f} | {median:.2f} | {longest:.2f} | +{most_mb[0]:.0f} MB at most |"


@contextmanager
def _most_memory(pid: int) -> Iterator[list[float]]:
    """Give the most memory that a process has held in the block, in MB above what it held before."""
    Path(f"/proc/{pid}/clear_refs").write_text("5")
    grown: list[float] = []
    before = _kilobytes(pid, "VmRSS")
    yield grown
    grown.append((_kilobytes(pid, "VmHWM") - before) / 1000)


def _kilobytes(pid: int, name: str) -> int:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith(name)).split()[1])


if __name__ == "__main__":
    raise SystemExit(main())
