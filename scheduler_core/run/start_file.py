"""Pack the start of a run into a file from which a page runs the event loop's module without a server.

The file is gzip of: the length of a header (four bytes, little-endian), the header as JSON, and the columns' bytes. The
header says which module runs, how its arguments lie in memory, and which result this library got. Each column is
written by planes: first the lowest byte of every row, then the next one. High bytes are mostly zero, so they shrink to
nothing. A column of zeros is left out, and so is one that equals an earlier column.

static/js/engine/ reads this format.
"""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from scheduler_core.engine.compile_progress import kernel_name
from scheduler_core.engine.events import STATE_FULL
from scheduler_core.engine.records import NEVER
from scheduler_core.engine.wasm import packed
from scheduler_core.engine.wasm.server import STAYS
from scheduler_core.errors import ExperimentError, Problem
from scheduler_core.experiment import Experiment, ResolveTrace
from scheduler_core.limits import DEFAULT_LIMITS, Limits
from scheduler_core.run.buffers import lengthened, lengths
from scheduler_core.run.built import KeptBuilds
from scheduler_core.run.driver import OnSlice, Simulation
from scheduler_core.run.engine_names import WASMTIME
from scheduler_core.run.touchable import (
    drawn_layers,
    make_headroom,
    touch_table,
    turn_table,
    turns_of,
    with_placeholder,
    with_room,
    write_turns,
)
from scheduler_core.version import __version__

FORMAT = 1
_ATTEMPTS = 8


@dataclass(frozen=True)
class StartFile:
    """The packed start of a run, the module that goes on from it, and the digest that the run ends with."""

    content: bytes
    module: str
    outcome_digest: str


def start_file(
    experiment: Experiment,
    *,
    touchable: bool = False,
    resolve_trace: ResolveTrace | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> StartFile:
    """Return the packed start of an experiment's run.

    A page cannot enlarge an array. The run is therefore simulated here first, by the same module, and the start gets
    arrays that never become full. A `touchable` start has what a page needs to add failures of machines and to change
    parameters that lie in the rules (run.touchable), and buffers of twice the size. Raises ExperimentError for an
    experiment that cannot be used, for one that is too large for a page (`limits`: page_tasks, page_machines,
    page_bytes), and for an event loop that a page cannot run.
    """
    packing = Packing(resolve_trace, limits)
    ended = packing.simulate(experiment)
    header = packing.touchable(experiment, ended, turned=True) if touchable else packing.plain(experiment, ended)
    return packing.file(header)


@dataclass(frozen=True)
class Ended:
    """How a run ended: its outcome's digest, the tasks that are done, and the arrays that it found full, in order.

    `lengths` has the buffers that grow one by one, by name (run.buffers). Digest and tasks are unset where the run was
    not simulated.
    """

    outcome_digest: str = ""
    tasks_done: int = 0
    grown: tuple[int, ...] = ()
    lengths: Mapping[str, int] = field(default_factory=dict)


class Packing:
    """Packs the starts of similar runs into one body: columns that are equal are written once."""

    def __init__(self, resolve_trace: ResolveTrace | None, limits: Limits) -> None:
        self._limits = limits
        self._resolve_trace = resolve_trace
        self._builds = KeptBuilds()
        self._columns = _Columns()

    def simulate(self, experiment: Experiment, on_slice: OnSlice | None = None) -> Ended:
        """Simulate a run by its module, until it ends without a full array. Raises ExperimentError."""
        ended = Ended("", 0)
        for _ in range(_ATTEMPTS):
            simulation = self._prepared(experiment, ended)
            _loop_of(simulation, self._limits)
            digest = str(simulation.finish(on_slice).summary["outcome_digest"])
            several, grown = lengths(simulation), tuple(simulation.grown)
            if several:
                grown = tuple(each for each in grown if each != STATE_FULL)
            before, ended = ended, Ended(digest, int(simulation.world.control[0].tasks_done), grown, several)
            if (ended.grown, ended.lengths) == (before.grown, before.lengths):
                return ended
        raise _refusal("the run enlarges its arrays again and again")

    def plain(self, experiment: Experiment, ended: Ended) -> dict[str, Any]:
        """Return the header of the start of exactly this run."""
        return self._header(self._prepared(experiment, ended), ended)

    def drawn(self, experiment: Experiment, ended: Ended) -> dict[str, Any]:
        """Return the header of the start of exactly this run, with how a page draws it. Raises ExperimentError."""
        simulation = self._prepared(experiment, ended)
        header = self._header(simulation, ended)
        return header | {"drawn": drawn_layers(simulation, header["arguments"])}

    def touchable(self, experiment: Experiment, ended: Ended, *, turned: bool = False) -> dict[str, Any]:
        """Return the header of the start of a run to which a page may add failures. Raises ExperimentError.

        `turned`: the page may also change the parameters that lie in the rules (world.turning).
        """
        turns = turns_of(experiment) if turned else {}
        simulation = self._prepared(with_placeholder(with_room(experiment, turns)), ended)
        write_turns(simulation, experiment, turns)
        make_headroom(simulation)
        header = self._header(simulation, ended)
        header |= {"touch": touch_table(simulation, header["arguments"])}
        return header | {"turns": turn_table(header["arguments"], turns)} if turns else header

    def file(self, header: dict[str, Any]) -> StartFile:
        """Return the file of a header and of all columns packed so far."""
        text = json.dumps(header, separators=(",", ":")).encode()
        content = gzip.compress(len(text).to_bytes(4, "little") + text + self._columns.body, mtime=0)
        return StartFile(content, header["module"], header["outcome_digest"])

    def _prepared(self, experiment: Experiment, ended: Ended) -> Simulation:
        parts: dict[str, Any] = {"resolve_trace": self._resolve_trace, "limits": self._limits, "builds": self._builds}
        simulation = Simulation(experiment, frames=0, engine=WASMTIME, **parts)
        simulation.prepare()
        _check_size(simulation, self._limits)
        for reason in ended.grown:
            simulation.make_room(reason)
        simulation.state = lengthened(simulation.state, ended.lengths)
        return simulation

    def _header(self, simulation: Simulation, ended: Ended) -> dict[str, Any]:
        name, module, tuples = _loop_of(simulation, self._limits)
        told = [
            {"name": type(some).__name__, "arrays": [self._columns.array(*each) for each in some._asdict().items()]}
            for some in tuples
        ]
        return {
            "format": FORMAT,
            "core_version": __version__,
            "kernel": name,
            "module": module,
            "until_ns": str(min(simulation.stop_ns, NEVER - 1)),
            "arguments": told,
            "outcome_digest": ended.outcome_digest,
            "tasks_done": ended.tasks_done,
        }


def _check_size(simulation: Simulation, limits: Limits) -> None:
    sizes = {"page_tasks": len(simulation.world.task), "page_machines": len(simulation.world.machine)}
    found = [limits.exceeded(name, size, "") for name, size in sizes.items()]
    if problems := [each for each in found if each is not None]:
        raise ExperimentError(problems)


def _loop_of(simulation: Simulation, limits: Limits) -> tuple[str, str, tuple[Any, ...]]:
    """Return the event loop's name, its module's name, and the named tuples of arrays that it takes."""
    kernel, arguments = simulation.event_loop()
    name = kernel_name(kernel.native.py_func)
    if stays := next((each for each in STAYS if each.kernel == name), None):
        raise _refusal(f"this scheduler's event loop asks the server in mid-run. {stays.why}")
    built = next(iter(packed.usable(name)), None)
    if built is None:
        raise _refusal(f"there is no module of {name}")
    tuples = arguments[:-2]
    if problem := limits.exceeded("page_bytes", sum(each.nbytes for some in tuples for each in some), ""):
        raise ExperimentError([problem])
    return name, built.file, tuples


def _refusal(why: str) -> ExperimentError:
    return ExperimentError([Problem("scheduler", why, remedy="watch the server's run")])


class _Columns:
    """The bytes of all columns, and where each of them lies."""

    def __init__(self) -> None:
        self.body = bytearray()
        self._known: dict[bytes, int] = {}

    def array(self, name: str, array: Any) -> dict[str, Any]:
        """Add an array; return its shape, its strides, and its columns that are not all zero.

        A column is [its name, its place in a row, its bytes, where its planes lie].
        """
        plain = np.ascontiguousarray(np.asarray(array)).reshape(array.shape)
        return {
            "name": name,
            "row": plain.itemsize,
            "shape": list(plain.shape),
            "strides": list(plain.strides),
            "columns": [[*place, self._at(rows)] for place, rows in _split(plain)],
        }

    def _at(self, rows: Any) -> int:
        """Return where a column's planes lie; -1 for a column of zeros."""
        if not rows.any():
            return -1
        planes = rows.T.tobytes()
        if planes not in self._known:
            self._known[planes] = len(self.body)
            self.body += planes
        return self._known[planes]


def _split(array: Any) -> Iterator[tuple[tuple[str, int, int], Any]]:
    """Yield each column's name, place in a row and size in bytes, with its bytes as (rows, size)."""
    size = array.itemsize
    rows = array.reshape(-1).view(np.uint8).reshape(math.prod(array.shape), size)
    if array.dtype.fields is None:
        yield ("", 0, size), rows
        return
    for name, (kind, at, *_) in array.dtype.fields.items():
        yield (name, at, kind.itemsize), rows[:, at : at + kind.itemsize]
