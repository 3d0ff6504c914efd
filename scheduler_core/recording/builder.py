"""Build the frames of a run from the state between two kernel calls, on a grid of simulated time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from scheduler_core.engine.jit import kernel
from scheduler_core.engine.records import Ints, World, histogram_edges_ns
from scheduler_core.recording.file import CHUNK_FRAMES
from scheduler_core.recording.frames import Frame, LayerChange
from scheduler_core.world.protocol import Protocol
from scheduler_core.world.spec import Layer, SchedulerSpec

MARKS_PER_FRAME = 200
QUIET_MARKS_PER_FRAME = 50
HISTOGRAM = "allocation_delay"


@kernel
def _take_changes(machines: Any, painted: Any, shown: Any, index: Any, value: Any) -> int:
    """Update the shown values of the machines; keep the numbers and new values of those that differ."""
    count = 0
    for number in range(len(machines)):
        machine = machines[number]
        if shown[machine] != painted[number]:
            shown[machine] = painted[number]
            index[count] = machine
            value[count] = painted[number]
            count += 1
    return count


def _take_touched(world: World) -> Any:
    """Return the machines touched since the last frame, in order, as int32, and clear the marks."""
    touched = np.flatnonzero(world.touched.view(np.bool_)).astype(np.int32)
    world.touched[:] = 0
    return touched


class Grid:
    """Times of frames: evenly spaced over the run's expected time, then coarser by doubling.

    Nobody knows the end of a run in advance. Three quarters of `frames` cover the expected time. After that the step
    doubles with every eighth of them, so a tail of thirty times that length still ends with about 1.4 `frames`.
    """

    def __init__(self, expected_ns: int, frames: int) -> None:
        self._frames = max(1, frames)
        self._left = max(1, self._frames * 3 // 4)
        self._step_ns = max(1, -(-expected_ns // self._left))
        self.next_ns = 0

    def advance(self) -> None:
        """Move on to the next time."""
        if self._left == 0:
            self._step_ns *= 2
            self._left = max(1, self._frames // 8)
        self._left -= 1
        self.next_ns += self._step_ns

    def state(self) -> list[int]:
        """Return the grid as integers, for a snapshot."""
        return [self._frames, self._step_ns, self._left, self.next_ns]

    def restore(self, state: list[int]) -> None:
        """Restore a saved grid."""
        self._frames, self._step_ns, self._left, self.next_ns = state


def _evenly(places: Any, most: int) -> Any:
    """Return at most `most` of the places, evenly chosen."""
    return places if len(places) <= most else places[np.linspace(0, len(places) - 1, most).astype(np.int64)]


class FrameBuilder:
    """Keep what the last frame showed, so that the next frame holds only changes."""

    def __init__(self, spec: SchedulerSpec, layers: tuple[Layer, ...], protocol: Protocol, capacity: Ints) -> None:
        machines = len(capacity)
        self._spec = spec
        self._declared = layers
        self._protocol = protocol
        self._layers = {layer.name: np.zeros(machines, np.uint8) for layer in layers}
        self._scratch = np.zeros(machines, np.uint8)
        self._all = np.arange(machines, dtype=np.int32)
        self._index = np.zeros(machines, np.uint32)
        self._value = np.zeros(machines, np.uint8)
        self._bins = np.zeros(0, np.int64)
        whole = capacity.sum(axis=0)
        self._given = np.flatnonzero(whole > 0)
        self._whole = whole[self._given]
        self._mark_of = {reason.code: reason.mark for reason in spec.reasons if reason.mark}
        quiet = {mark.kind for mark in spec.marks if mark.quiet}
        self._is_mark = np.zeros((2, max((reason.code for reason in spec.reasons), default=0) + 1), bool)
        for code, kind in self._mark_of.items():
            self._is_mark[int(kind in quiet), code] = True
        self.totals: dict[str, float] = {}
        self.next_seq = 0
        self.last_t_ns = 0

    def build(
        self,
        world: World,
        state: Any,
        counters: dict[str, int],
        decisions: Sequence[Any],
        t_ns: int,
        *,
        run_state: str,
        end: dict[str, Any] | None = None,
        force_key: bool = False,
    ) -> Frame:
        """Return the frame for `t_ns`. `decisions`: tables of the rows since the last frame; their marks flash."""
        key = force_key or self.next_seq % CHUNK_FRAMES == 0
        frame = Frame(
            seq=self.next_seq,
            from_seq=self.next_seq,
            t_ns=t_ns,
            key=key,
            state=run_state,
            counters=counters,
            layers=self._changed_layers(world, state, key),
            hist={HISTOGRAM: self._changed_bins(world, key)},
            series=self._points(world, state, t_ns, counters),
            marks=self._marks(decisions),
            end=end,
        )
        self.next_seq += 1
        self.last_t_ns = t_ns
        return frame

    def _changed_layers(self, world: World, state: Any, key: bool) -> dict[str, LayerChange]:
        """Return all of every layer for a key frame, else the changes among machines touched since the last frame."""
        touched = _take_touched(world)
        changes = {}
        for number, (name, shown) in enumerate(self._layers.items()):
            if key:
                self._protocol.paint(world, state, number, self._all, shown)
                changes[name] = LayerChange(full=shown.copy())
            elif not self._declared[number].fixed:
                machines = self._all if self._declared[number].whole else touched
                painted = self._scratch[: len(machines)]
                self._protocol.paint(world, state, number, machines, painted)
                count = _take_changes(machines, painted, shown, self._index, self._value)
                if count:
                    changes[name] = LayerChange.of(self._index[:count], self._value[:count], shown)
        return changes

    def _changed_bins(self, world: World, key: bool) -> dict[str, list[int]]:
        bins = world.histogram
        changed = np.flatnonzero(bins if key or not len(self._bins) else bins != self._bins)
        self._bins = bins.copy()
        found = {"idx": changed.tolist(), "val": bins[changed].tolist()}
        return {"edges": histogram_edges_ns().tolist(), **found} if key else found

    def _points(self, world: World, state: Any, t_ns: int, counters: dict[str, int]) -> dict[str, list[list[float]]]:
        control = world.control[0]
        values = {
            "utilisation": float((world.used[self._given] / self._whole).max(initial=0.0)),
            "waiting": float(counters["tasks_waiting"]),
            "running": float(control.tasks_running),
        }
        units = {series.name: series.unit for series in self._spec.series}
        for name, value in self._protocol.series(world, state).items():
            # A series "per frame" is the growth of a counter since the frame before.
            values[name] = value - self.totals.get(name, 0.0) if units[name] == "per frame" else value
            self.totals[name] = value
        return {name: [[t_ns, value]] for name, value in values.items()}

    def _marks(self, decisions: Sequence[Any]) -> list[list[Any]]:
        if not decisions:
            return []
        # The reasons alone: all rows of a run without frames would be a second copy of its decisions.
        reasons = np.concatenate([rows["reason"] for rows in decisions])
        marked = np.sort(
            np.concatenate(
                [
                    _evenly(np.flatnonzero(self._is_mark[0, reasons]), MARKS_PER_FRAME),
                    _evenly(np.flatnonzero(self._is_mark[1, reasons]), QUIET_MARKS_PER_FRAME),
                ]
            )
        )
        first = np.cumsum([0, *(len(rows) for rows in decisions)])
        table = np.searchsorted(first, marked, "right") - 1
        return [
            [int(row["t_ns"]), self._mark_of[int(row["reason"])], int(row["machine"]), int(row["task"])]
            for row in (decisions[which][place - first[which]] for which, place in zip(table, marked, strict=True))
        ]
