"""Thumbnails: the map of a run at half its time, as PNG, drawn from the recording and stored."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from playground.errors import PlaygroundError, not_found
from playground.models import Experiment, Run, RunState
from playground.runs.results.colors import shades
from playground.runs.results.files import open_recording
from scheduler_core import Frame, RecordingReader
from scheduler_core.contract import LayerRole

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw

Kind = Literal["card", "light", "dark"]
KINDS: tuple[Kind, ...] = ("card", "light", "dark")
_VERSION = 1  # a picture drawn otherwise has another name
CARD_SIZE = (1200, 630)
_THUMBNAIL = (480, 252)
STILL_SIZE = (960, 504)
_NOBODY = 255
_LARGEST_CELL = 64
_INK, _MUTED, _GROUND = (20, 24, 31), (85, 94, 108), (246, 247, 248)
_DARK_GROUND = (13, 16, 20)
Pixels = npt.NDArray[np.uint8]


def picture_name(run: Run, kind: Kind) -> str:
    return f"pictures/{run.public_id}-{kind}-{_VERSION}.png"


def newest_done_run(experiment: Experiment) -> Run | None:
    """Return the newest finished run, one that still has its recording before one that has not."""
    done = experiment.runs.filter(state=RunState.DONE).order_by("-created_at")
    return done.exclude(recording="").first() or done.first()


def has_picture(run: Run, kind: Kind) -> bool:
    """Return True if a picture exists or can be drawn."""
    return bool(run.recording) or default_storage.exists(picture_name(run, kind))


def picture_of(*, experiment: Experiment, kind: Kind) -> bytes:
    """Return the picture of an experiment's newest finished run; raises PlaygroundError where there is none."""
    run = newest_done_run(experiment)
    if run is None:
        raise not_found("picture: no run has finished")
    name = picture_name(run, kind)
    try:
        with default_storage.open(name) as kept:
            return bytes(kept.read())
    except OSError:
        pass
    drawn = _draw(run, kind)
    # Two may draw at once: whoever is second finds the name taken, and both pictures are the same.
    if not default_storage.exists(name):
        default_storage.save(name, ContentFile(drawn))
    return drawn


def forget_pictures(run: Run) -> None:
    for kind in KINDS:
        default_storage.delete(picture_name(run, kind))


def still_of(run: Run) -> tuple[bytes, int]:
    """Return the map of a run as PNG at a telling instant, and this instant in ns. Raises PlaygroundError."""
    from PIL import Image

    meta, frame = _told_by(run)
    image = Image.fromarray(draw_map(meta, frame, *STILL_SIZE, dark=False))
    return _png(image.quantize(256)), int(frame.t_ns)


def _draw(run: Run, kind: Kind) -> bytes:
    from PIL import Image

    meta, frame = _told_by(run)
    if kind == "card":
        image = Image.new("RGB", CARD_SIZE, _GROUND)
        image.paste(Image.fromarray(draw_map(meta, frame, 1104, 376, dark=False)), (48, 214))
        _write_card(image, run, meta)
    else:
        image = Image.fromarray(draw_map(meta, frame, *_THUMBNAIL, dark=kind == "dark"))
    return _png(image)


def _png(image: Any) -> bytes:
    out = io.BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()


def _told_by(run: Run) -> tuple[dict[str, Any], Frame]:
    """Return the description of a run and a telling frame. Raises PlaygroundError."""
    with open_recording(run=run) as file:
        try:
            with RecordingReader(file) as reader:  # type: ignore[arg-type]
                return reader.meta, _telling_frame(reader)
        except ValueError as error:
            raise PlaygroundError(410, "gone", "The run's recording cannot be read") from error


def _telling_frame(reader: RecordingReader) -> Frame:
    """Choose the middle of the run, or a third of it where a long tail has left the machines idle."""
    frames = [reader.frame(int(reader.count * share)) for share in (0.5, 0.33)]
    load = _name(reader.meta, "load")
    loads = [float(_layer(frame, load, 1).mean()) for frame in frames]
    return frames[0] if loads[0] >= 0.5 * loads[1] else frames[1]


def _name(meta: dict[str, Any], role: LayerRole) -> str | None:
    """Return the name of the layer with a role; None where no layer has it."""
    return next((layer["name"] for layer in meta["layers"] if layer["role"] == role), None)


def _layer(frame: Frame, name: str | None, machines: int, missing: int = 0) -> Pixels:
    change = frame.layers.get(name) if name else None
    if change is None or change.full is None:
        return np.full(machines, missing, np.uint8)
    return change.full


@dataclass(frozen=True)
class _Plan:
    """Upper left corner of each machine's cell, and the cells' size, in pixels."""

    x: npt.NDArray[np.int64]
    y: npt.NDArray[np.int64]
    size: int


def draw_map(meta: dict[str, Any], frame: Frame, width: int, height: int, *, dark: bool) -> Pixels:
    """Draw a cell for each machine: hue says whose, value says how full, the lower half shows who borrowed it."""
    machines = int(meta["machines"])
    ground = _DARK_GROUND if dark else _GROUND
    pixels = np.empty((height, width, 3), np.uint8)
    pixels[:] = ground
    plan = _lay_out(meta["clusters"], machines, width, height)
    owner = _layer(frame, _name(meta, "owner"), machines, 0 if not meta["owners"] else _NOBODY)
    load = _layer(frame, _name(meta, "load"), machines)
    is_lent = _layer(frame, _name(meta, "lent"), machines) > 0
    borrower = np.where(is_lent, _layer(frame, _name(meta, "borrower"), machines, _NOBODY), _NOBODY)
    table = shades(dark)
    colors = table[np.where(owner == _NOBODY, 8 if meta["owners"] else 0, owner % 8), load]
    lent = table[np.where(borrower == _NOBODY, 8, borrower % 8), load]
    inner = plan.size - (1 if plan.size >= 4 else 0)
    for row in range(inner):
        shown = np.where((borrower != _NOBODY)[:, None] & (row >= inner / 2), lent, colors)
        for column in range(inner):
            pixels[np.minimum(plan.y + row, height - 1), np.minimum(plan.x + column, width - 1)] = shown
    return pixels


def _lay_out(clusters: list[dict[str, Any]], machines: int, width: int, height: int) -> _Plan:
    """Put clusters into a grid, the partitions of each below one another, with the largest cells that fit."""
    best: tuple[int, int] = (0, 1)
    for columns in range(1, min(len(clusters), 40) + 1):
        size = _largest_cell(clusters, columns, width, height)
        if size > best[0]:
            best = (size, columns)
    size, columns = max(best[0], 1), best[1]
    x, y = np.zeros(machines, np.int64), np.zeros(machines, np.int64)
    across, gap = _across(columns, width, size)
    # As many rows need no more columns than this; a last row of few machines looks like machines that are missing.
    while across > 1 and all(_rows(cluster, across - 1) == _rows(cluster, across) for cluster in clusters):
        across -= 1
    high = max(_rows(cluster, across) for cluster in clusters) * size + _parts_gap(clusters, size) + gap
    used = columns * across * size + (columns - 1) * gap
    left = max(0, (width - used) // 2)
    top = max(0, (height - high * -(-len(clusters) // columns) + gap) // 2)
    for number, cluster in enumerate(clusters):
        at_y = top + number // columns * high
        for part in cluster["partitions"]:
            place = np.arange(part["machines"])
            chosen = slice(part["first"], part["first"] + part["machines"])
            x[chosen] = left + number % columns * (across * size + gap) + place % across * size
            y[chosen] = at_y + place // across * size
            at_y += -(-part["machines"] // across) * size + _inner_gap(size)
    return _Plan(x, y, size)


def _across(columns: int, width: int, size: int) -> tuple[int, int]:
    """Return cells in a row of a cluster, and the gap between clusters."""
    gap = max(2, min(20, width // columns // 10))
    return max(1, (width - gap * (columns - 1)) // columns // size), gap


def _inner_gap(size: int) -> int:
    return 3 if size >= 4 else 1


def _parts_gap(clusters: list[dict[str, Any]], size: int) -> int:
    return int(max(len(cluster["partitions"]) - 1 for cluster in clusters)) * _inner_gap(size)


def _rows(cluster: dict[str, Any], across: int) -> int:
    return sum(-(-int(part["machines"]) // across) for part in cluster["partitions"])


def _largest_cell(clusters: list[dict[str, Any]], columns: int, width: int, height: int) -> int:
    rows = -(-len(clusters) // columns)
    for size in range(_LARGEST_CELL, 0, -1):
        across, gap = _across(columns, width, size)
        room = (height - gap * (rows - 1)) // rows - _parts_gap(clusters, size)
        if max(_rows(cluster, across) for cluster in clusters) * size <= room:
            return size
    return 0


def _write_card(image: Any, run: Run, meta: dict[str, Any]) -> None:
    """Write name, question and figures above and below the map."""
    from PIL import ImageDraw

    pen = ImageDraw.Draw(image)
    experiment = run.experiment
    _text(pen, (48, 40), experiment.name or "Untitled", 54, _INK)
    _text(pen, (48, 116), experiment.question, 30, _MUTED)
    waits = (run.summary or {}).get("allocation_delay_s", {})
    label = meta["scheduler"].get("label") or meta["scheduler"]["name"]
    facts = [str(label), f"{meta['machines']:,} machines"]
    known = [name for name in ("p50", "p99") if isinstance(waits.get(name), int | float)]
    facts += [f"{name} wait {seconds(waits[name])}" for name in known] or ["no task started"] * bool(waits)
    _text(pen, (48, 164), "  ·  ".join(facts), 28, _INK)
    _text(pen, (940, 597), "Scheduler Playground", 20, _MUTED)


def _text(pen: ImageDraw, place: tuple[int, int], text: str, size: int, color: tuple[int, int, int]) -> None:
    """Write one line, cut to the picture's width; letters that the font lacks are left out."""
    from PIL import ImageFont

    font = ImageFont.load_default(size)
    shown = " ".join("".join(letter for letter in text if letter.isprintable() and ord(letter) < 0x250).split())
    room = CARD_SIZE[0] - 48 - place[0]
    if pen.textlength(shown, font) > room:
        while shown and pen.textlength(shown + "...", font) > room:
            shown = shown[:-1]
        shown += "..."
    pen.text(place, shown, font=font, fill=color)


def seconds(value: float) -> str:
    """Give a length of time with three significant digits, in the unit that fits, as the page's own script does."""
    if value == 0:
        return "0 s"
    for limit, factor, unit in ((999.5e-6, 1e6, "µs"), (0.9995, 1e3, "ms"), (600.0, 1.0, "s"), (7200.0, 1 / 60, "min")):
        if value < limit:
            return f"{_three(value * factor)} {unit}"
    return f"{_three(value / 3600)} h"


def _three(value: float) -> str:
    return f"{value:,.0f}" if value >= 999.5 else f"{value:#.3g}".rstrip(".")
