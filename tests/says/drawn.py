"""What the pictures of a class draw, measured again: results over the class's answers, and a dot for each try."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from tests.says import results
from tests.says.source import OfClass

#: Reads the parts of results and of walls of tries: their attributes, with the first class as `sort`.
LOOK = """() => [...document.querySelectorAll('.result[data-result] svg *, .dots-picture *')]
  .filter(each => each.checkVisibility())
  .map(each => ({...Object.fromEntries([...each.attributes].map(({name, value}) => [name, value])),
    sort: each.classList[0] ?? '', of: each.closest('.result')?.dataset.result ?? 'dots',
    at: each.closest('[data-at]')?.dataset.at ?? null}))"""
#: The picture's box, and what is beside a run for the counts of answers: features/classes/axes.js, number_picture.js.
_LEFT, _RIGHT, _TOP, _BOTTOM = 58, 348, 28, 216
_COUNTS = 56
_BAND, _BINS = (10, 25, 50, 75, 90), 20
_WIDE, _ROOM = 50, 0.06
_NEAR = 0.05

Part = dict[str, Any]


class Scale(NamedTuple):
    low: float
    high: float
    log: bool = False
    choices: tuple[Any, ...] = ()

    def place(self, value: Any) -> float:
        """Return where a value lies, from 0 to 1."""
        if self.choices:
            return (self.choices.index(value) + 0.5) / len(self.choices)
        if self.log and value <= 0:
            return 0.0
        over = math.log(value / self.low) / math.log(self.high / self.low) if self.log else None
        return min(1.0, max(0.0, (value - self.low) / (self.high - self.low) if over is None else over))

    def across(self, value: Any) -> float:
        return _LEFT + self.place(value) * (_RIGHT - _LEFT)

    def up(self, value: Any) -> float:
        return _BOTTOM - self.place(value) * (_BOTTOM - _TOP)


def wrong(parts: list[Part], source: OfClass) -> str:
    """What is wrong with the pictures on a page; while runs play, nothing is measured yet."""
    if any(one["at"] is not None for one in parts):
        return ""
    of = {one["of"] for one in parts}
    if "number" in of and source.question["result"]["growth"]:
        return _number(parts, source)
    if "curve" in of:
        return _curve(parts, source)
    return _dots(parts, source) if "dots" in of and source.student is None else ""


def _apart(what: str, drawn: Iterable[float], right: Iterable[float], near: float = _NEAR) -> str:
    found, wanted = list(drawn), list(right)
    same = len(found) == len(wanted) and all(abs(one - each) <= near for one, each in zip(found, wanted, strict=True))
    return "" if same else f"{what} is drawn at {found}, and not at {wanted}"


def _first(*wrongs: str) -> str:
    return next((why for why in wrongs if why), "")


def _of(parts: list[Part], sort: str, *names: str) -> list[float]:
    return [float(one[name]) for one in parts if one["sort"] == sort for name in names]


def _points(parts: list[Part], sort: str) -> list[list[float]]:
    """The coordinates of each path of a sort, x and y in turn."""
    return [[float(each) for each in re.findall(r"-?[\d.]+", one["d"])] for one in parts if one["sort"] == sort]


def _scale(source: OfClass, means: list[float]) -> Scale:
    """The scale of the answers, which reaches to what runs gave."""
    asked = source.asked
    low = min([asked["low"], *(mean for mean in means if mean > 0 or not asked["log"])])
    return Scale(low, max(asked["high"], *means), asked["log"])


def _own(source: OfClass) -> Any:
    answers = (source.student or {}).get("answers") or []
    return next((each["value"] for each in answers if each["question"] == source.question["number"]), None)


def _number(parts: list[Part], source: OfClass) -> str:
    """The run's line ends at the mean, with the interval there; the class's answers are a band around their median, and
    bars at the right."""
    found = results.measured(source)
    (mean,), (ends,) = found.means, found.ends
    scale, own = _scale(source, [mean]), _own(source)
    shares = np.percentile(source.mine, _BAND) if source.mine else []
    low, quarter, median, three, high = (scale.up(value) for value in shares) if source.mine else [0.0] * 5
    wide = Scale(source.asked["low"], source.asked["high"], source.asked["log"])
    counts = [0] * _BINS
    for value in source.mine:
        counts[min(_BINS - 1, math.floor(wide.place(value) * _BINS))] += 1
    bars = [_COUNTS * count / max(1, *counts) for count in counts]
    band = [high, low - high, three, quarter - three] if source.mine else []
    noise = [scale.up(ends[1]), scale.up(ends[0]) - scale.up(ends[1])] if ends and ends[0] != ends[1] else []
    return _first(
        _apart("the interval", _of(parts, "noise-band", "y", "height"), noise),
        _apart("the run's end", _of(parts, "run-head", "cy"), [scale.up(mean)], near=0.5),  # growth has four digits
        _apart("the own answer", _of(parts, "own-line", "y1", "y2"), [] if own is None else [scale.up(own)] * 2),
        _apart("the median", _of(parts, "class-line", "y1"), [median] if source.mine else []),
        _apart("the class's band", _of(parts, "class-band", "y", "height"), band),
        _apart("the bars of answers", _of(parts, "answer-bar", "width"), bars),
    )


def _curve(parts: list[Part], source: OfClass) -> str:
    """The runs' line with its intervals, the own line, and the class's bands around its medians."""
    found = results.measured(source)
    scale, own, count = _scale(source, found.means), _own(source), len(found.means)
    xs = [_LEFT + at / (count - 1) * (_RIGHT - _LEFT) for at in range(count)]

    def line(values: Iterable[Any], back: Iterable[Any] = ()) -> list[float]:
        there = [each for x, value in zip(xs, values, strict=True) for each in (x, scale.up(value))]
        return there + [
            each for x, value in zip(xs[::-1], [*back][::-1], strict=False) for each in (x, scale.up(value))
        ]

    shares = np.percentile(np.array(source.mine, float), _BAND, axis=0) if source.mine else None
    bands = [] if shares is None else [line(shares[0], shares[4]), line(shares[1], shares[3])]
    strokes = [scale.up(end) for ends in found.ends if ends and ends[0] != ends[1] for end in ends]
    flat = {
        "run-line": [line(found.means)],
        "own-line": [] if own is None else [line(own)],
        "class-line": [] if shares is None else [line(shares[2])],
        "class-band": bands,
    }
    wrongs = [_apart(f"the {sort}", chain(*_points(parts, sort)), chain(*right)) for sort, right in flat.items()]
    return _first(*wrongs, _apart("the intervals", _of(parts, "noise-line", "y1", "y2"), strokes))


def _dots(parts: list[Part], source: OfClass) -> str:
    """A dot for each student's try, a ring for the teacher's values, and where other seeds are expected."""
    explore = source.news["explore"]
    teacher = {"values": {each["path"]: each["value"] for each in explore["knobs"]}, "figures": explore["base"]}
    x, y = (_axis(explore, explore[axis], [teacher, *source.forks]) for axis in ("x", "y"))

    def spot(fork: Any) -> list[float]:
        at = [_on(fork, explore[axis]) for axis in ("x", "y")]
        return [] if None in at else [x.across(at[0]), y.up(at[1])]

    dots = {int(one["data-dot"]): [float(one["cx"]), float(one["cy"])] for one in parts if one["sort"] == "dot"}
    wanted = {fork["number"]: spot(fork) for fork in source.forks if spot(fork)}
    if dots.keys() != wanted.keys():
        return f"there are dots for {sorted(dots)}, and not for {sorted(wanted)}"
    bands = {one["data-band"]: one for one in parts if one["sort"] == "dots-band"}
    ends = {name: explore["noise"].get(explore[name]) for name in ("x", "y")}
    for name, along in (("x", x.across), ("y", y.up)):
        band = bands.get(explore[name])
        if (band is None) != (ends[name] is None):
            return f"the band of {explore[name]} is {ends[name]}, and drawn: {band}"
        if band is not None and name == "y":
            top, foot = float(band["y"]), float(band["y"]) + float(band["height"])
            if why := _apart("the band", [foot, top], map(along, ends[name])):
                return why
    return _first(
        *(_apart(f"the dot of student {number}", at, wanted[number]) for number, at in dots.items()),
        _apart("the ring", _of(parts, "dot-base", "cx", "cy"), spot(teacher)),
    )


def _on(fork: Any, name: str) -> Any:
    return fork["values"].get(name, (fork["figures"] or {}).get(name))


def _axis(explore: Any, name: str, forks: list[Any]) -> Scale:
    """An open parameter between its bounds, or a measure over what is known of it."""
    knob = next((each for each in explore["knobs"] if each["path"] == name), None)
    if knob is not None:
        choices = (False, True) if knob["kind"] == "switch" else tuple(knob["choices"])
        low, high = (0 if knob["least"] is None else knob["least"]), (1 if knob["most"] is None else knob["most"])
        return Scale(low, high, low > 0 and high / low > _WIDE, choices)
    noise = explore["noise"].get(name) or []
    values = [value for fork in forks if (value := _on(fork, name)) is not None] + [end for end in noise if end > 0]
    least, most = (min(values), max(values)) if values else (0, 1)
    if least > 0 and most / least > _WIDE:
        room = (most / least) ** _ROOM
        return Scale(least / room, most * room, True)
    room = ((most - least) or abs(most) or 1) * _ROOM
    bottom = 0 if noise and noise[0] == 0 else least
    return Scale(max(0, bottom - room) if bottom >= 0 else bottom - room, most + room)
