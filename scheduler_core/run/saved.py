"""Save a paused run with everything that another process needs to continue it, including the frames so far.

The file is a recording without an end, so `RecordingReader` shows its frames. The file also holds the snapshot and the
state that the next frame compares with. A continued run makes exactly the frames of a run without a pause.
"""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from scheduler_core.engine.sources import code_digest
from scheduler_core.errors import OtherVersion
from scheduler_core.recording.file import write_frames
from scheduler_core.run.driver import Simulation
from scheduler_core.run.snapshot import pack_arrays, unpack_arrays
from scheduler_core.version import __version__

_HEADER, _SNAPSHOT, _SHOWN = "saved.json", "snapshot.zst", "shown.zst"
_NOTHING = "not a saved run"


def save_simulation(simulation: Simulation, target: Path | BinaryIO) -> None:
    """Write an unfinished run to a file, from `on_slice` (between two slices) or between two frames."""
    assert simulation.result is None, "a run that has ended has a recording instead instead"
    snapshot = simulation.snapshot()
    index, chunks = simulation.recording.parts()
    header = {
        "core_version": __version__,
        "sources": _sources(simulation),
        "last_t_ns": simulation._builder.last_t_ns,
        "wall_s": simulation.wall_s,
        "compile_s": simulation.spent.compile_s,
        "thinned": simulation.thinned,
    }
    builder, pending = simulation._builder, simulation._pending
    shown: dict[str, Any] = {f"layer.{name}": layer for name, layer in builder._layers.items()}
    shown["bins"] = builder._bins
    shown["pending"] = np.concatenate(pending) if pending else simulation.world.log[:0]
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr(_HEADER, json.dumps(header))
        write_frames(archive, simulation.meta(), index, chunks)
        archive.writestr(_SNAPSHOT, snapshot, zipfile.ZIP_STORED)
        archive.writestr(_SHOWN, pack_arrays(shown), zipfile.ZIP_STORED)


def load_simulation(simulation: Simulation, source: Path | BinaryIO) -> None:
    """Continue from a file of `save_simulation`, in a new simulation of the same experiment.

    Raises OtherVersion for a file of another version, ValueError for another experiment or another kind of file.
    """
    simulation.prepare()
    try:
        with zipfile.ZipFile(source) as archive:
            header = json.loads(archive.read(_HEADER))
            _require_this_version(header, simulation)
            index = json.loads(archive.read("index.json"))
            chunks = [archive.read(f"frames/{number:06d}.msgpack") for number in range(len(index))]
            shown = unpack_arrays(archive.read(_SHOWN))
            simulation.restore(archive.read(_SNAPSHOT))
    except (zipfile.BadZipFile, KeyError, OSError) as error:
        raise ValueError(_NOTHING) from error
    builder = simulation._builder
    for name, layer in builder._layers.items():
        layer[:] = shown[f"layer.{name}"]
    builder._bins = shown["bins"]
    builder.last_t_ns = header["last_t_ns"]
    simulation._pending = [shown["pending"]]
    simulation._force_key = False  # the frames before it are here
    simulation._log.thinned = header["thinned"]
    simulation.recording.take_over(index, chunks)
    simulation.spent.wall_s += header["wall_s"]
    simulation.spent.simulate_s += header["wall_s"]
    simulation.spent.compile_s += header["compile_s"]


def _require_this_version(header: dict[str, Any], simulation: Simulation) -> None:
    made, here = (header["core_version"], header["sources"]), (__version__, _sources(simulation))
    if made != here:
        raise OtherVersion(
            f"the run was put aside by version {made[0]} ({made[1]}), this is {here[0]} ({here[1]}): only the same "
            f"version can continue it exactly"
        )


def _sources(simulation: Simulation) -> str:
    """Return the digest of the compiled code behind the run: a change of that code may change the rest of the run."""
    return code_digest(type(simulation._protocol))
