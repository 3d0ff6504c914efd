"""Make shipped recordings: simulate, and remove details until a recording has at most 500 KB."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import msgpack
import pyarrow as pa
import pyarrow.parquet as pq

from playground.known.results import TASKS
from playground.known.shipped import Shipped
from scheduler_core import Experiment, RecordingReader, RunView, Simulation, outcome_code
from scheduler_core.recording.track import numbers, planes

MOST_BYTES = 500_000
#: Numbers of frames to try, most first.
_FRAMES = (600, 400, 240, 150, 90)
#: What a brief recording keeps, in the order of trying: rows of the decision log, and whether the track.
_BRIEF = ((20_000, True), (4_000, True), (4_000, False), (500, False))
#: In a brief recording, a task of at least this number of units of its track (a second, where the unit is 1 µs) ends
#: up to half a millisecond early: less than 1 part in 2,000 of its time, and nothing that a viewer sees.
_LONG_FROM, _LOST_BITS = 1 << 20, 9
_NEVER = (1 << 32) - 1
_DECISIONS, _TRACK, _DENSITY = "decisions.parquet", "track.msgpack", "density.msgpack"


def ship(name: str, experiment: Experiment, folder: Path) -> Shipped:
    """Simulate an experiment and write its recording. Raises ValueError if no recording of it is small enough."""
    content, brief = _recorded(name, experiment)
    (folder / f"{name}.zip").write_bytes(content)
    return Shipped(
        name=name,
        scheduler=experiment.scheduler.name,
        question=experiment.digest(),
        code=outcome_code(experiment.scheduler.name),
        file=f"{name}.zip",
        sha256=hashlib.sha256(content).hexdigest(),
        brief=brief,
    )


def _recorded(name: str, experiment: Experiment) -> tuple[bytes, bool]:
    for frames in _FRAMES:
        simulation = Simulation(experiment, frames=frames)
        for _ in simulation.run():
            pass
        whole, table = io.BytesIO(), io.BytesIO()
        RunView(simulation).write_recording(whole)
        assert simulation.result is not None
        simulation.result.tasks.to_parquet(table)  # type: ignore[arg-type]  # pyarrow writes into files, too
        if frames == _FRAMES[0] and len(content := _packed(whole, {TASKS: table.getvalue()})) <= MOST_BYTES:
            return content, False
        for rows, with_track in _BRIEF:
            instead = _rounded(whole) if with_track else {_DENSITY: msgpack.packb(RunView(simulation).density())}
            content = _packed(whole, _thinned(whole, rows) | instead, () if with_track else (_TRACK,))
            if len(content) <= MOST_BYTES:
                return content, True
    raise ValueError(f"no recording of {name} has at most {MOST_BYTES:,} bytes: make its experiment smaller")


def _packed(whole: io.BytesIO, other: dict[str, bytes], without: tuple[str, ...] = ()) -> bytes:
    """Return a recording with some of its files replaced, added or left out."""
    target = io.BytesIO()
    with zipfile.ZipFile(whole) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as new:
        files: dict[str, bytes] = {name: old.read(name) for name in old.namelist() if name not in without}
        for name, content in (files | other).items():
            # Without the time of writing: who ships the same again writes the same bytes.
            new.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED, 9)
    return target.getvalue()


def _rounded(whole: io.BytesIO) -> dict[str, bytes]:
    """Return the track, if there is one, with the times of long tasks in fewer digits: they are most of its bytes."""
    with zipfile.ZipFile(whole) as archive:
        if _TRACK not in archive.namelist():
            return {}
        track: dict[str, Any] = msgpack.unpackb(archive.read(_TRACK))
    ran = numbers(track["tasks"]["ran"])
    long = (ran >= _LONG_FROM) & (ran < _NEVER)
    ran[long] = ran[long] >> _LOST_BITS << _LOST_BITS
    return {_TRACK: msgpack.packb(track | {"tasks": track["tasks"] | {"ran": planes(ran)}})}


def _thinned(whole: io.BytesIO, rows: int) -> dict[str, bytes]:
    """Return the decision log with at most `rows` rows, spread over the run, and a description that says so."""
    with RecordingReader(whole) as reader:
        log: pa.Table = reader.decisions()
    if log.num_rows <= rows:
        return {}
    step = -(-log.num_rows // rows)
    sink = io.BytesIO()
    pq.write_table(log.take(pa.array(range(0, log.num_rows, step))), sink, compression="zstd")
    with zipfile.ZipFile(whole) as archive:
        meta: dict[str, Any] = json.loads(archive.read("meta.json"))
    meta["decisions_thinned"] = max(step, int(meta["decisions_thinned"]) * step)
    return {_DECISIONS: sink.getvalue(), "meta.json": json.dumps(meta).encode()}
