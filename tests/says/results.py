"""The result of a question, measured again: from the table of the study's runs, and from each student's answer."""

from __future__ import annotations

import io
import math
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow.parquet as pq
from scipy import special

from tests.says.source import OfClass

_COVERED = 0.95


class Measured(NamedTuple):
    """The number at each option or place: its mean over the seeds, and the interval of that mean; None without one."""

    means: list[float]
    ends: list[tuple[float, float] | None]
    right: list[int]


def _interval(found: list[float]) -> tuple[float, float] | None:
    if len(found) < 2:
        return None
    if len(set(found)) == 1:
        return found[0], found[0]
    mean, spread = float(np.mean(found)), float(np.std(found, ddof=1))
    half = float(special.stdtrit(len(found) - 1, (1 + _COVERED) / 2)) * spread / math.sqrt(len(found))
    return mean - half, mean + half


def measured(source: OfClass) -> Measured:
    """Measure a question again."""
    asked = source.asked
    places: list[dict[str, float]] = []
    for row_of in _places(asked):
        mine = [row for row in source.rows if all(_cell(row[name]) == value for name, value in row_of.items())]
        places.append({row["seed"]: float(row[asked["metric"]]) for row in mine})
    means = [sum(found.values()) / len(found) for found in places]
    right: list[int] = []
    if asked["kind"] == "choice":
        most = asked.get("best") == "most"
        best = means.index(max(means) if most else min(means))
        right = [at for at, found in enumerate(places) if at == best or not _is_worse(found, places[best], most)]
    return Measured(means, [_above_zero(list(found.values())) for found in places], right)


def _places(asked: Any) -> list[dict[str, str]]:
    """What tells the rows of each option or place."""
    if asked.get("schedulers"):
        return [{"scheduler": name} for name in asked["schedulers"]]
    return [{asked["path"]: _cell(value)} for value in asked["values"]] if asked.get("values") else [{}]


def _cell(value: Any) -> str:
    """A value as all cells of its column can be compared: a number in one form."""
    try:
        return str(float(value))
    except ValueError:
        return str(value)


def _is_worse(one: dict[str, float], best: dict[str, float], most: bool) -> bool:
    """Whether the interval of the ratios, seed by seed, lies on the worse side; of differences if one is 0."""
    pairs = [(one[seed], best[seed]) for seed in one if seed in best]
    positive = all(value > 0 for pair in pairs for value in pair)
    apart = [math.log(mine) - math.log(its) if positive else mine - its for mine, its in pairs]
    if not any(apart):
        return False
    ends = _interval(apart)
    return ends is not None and (ends[1] < 0 if most else ends[0] > 0)


def grown(growth: Any, at_s: float) -> list[float | None]:
    """The number at each option at an instant of the runs, on a straight line between two that are known."""
    times, found = growth["t_s"], []
    after = next((place for place, time in enumerate(times) if time > at_s), None)
    for values in growth["values"]:
        if after is None:
            found.append(values[-1])
        elif after == 0:
            found.append(None)
        else:
            low, high = values[after - 1], values[after]
            part = (at_s - times[after - 1]) / (times[after] - times[after - 1])
            found.append(low if low is None or high is None else low + (high - low) * part)
    return found


def score(source: OfClass, value: Any) -> float:
    """The score of an answer: what is right counts 1, and half of the scale away 0."""
    asked = source.asked
    if asked["kind"] == "point":
        return float(value == source.happened)
    found = measured(source)
    if asked["kind"] == "choice":
        return float(value in found.right)
    values = value if asked["kind"] == "curve" else [value]
    return sum(_near(asked, *one) for one in zip(values, found.means, found.ends, strict=True)) / len(values)


def _above_zero(found: list[float]) -> tuple[float, float] | None:
    """The interval of a mean; of what is never negative, its part from 0 on."""
    ends = _interval(found)
    return ends if ends is None or min(found) < 0 else (max(0.0, ends[0]), ends[1])


def _near(asked: Any, value: float, mean: float, ends: tuple[float, float] | None) -> float:
    low, high = asked.get("low", 0), asked.get("high", 1)

    def place(at: float) -> float:
        if asked.get("log"):
            return math.log(at / low) / math.log(high / low) if at > 0 else -math.inf
        return float((at - low) / (high - low))

    least, most = (min(1.0, max(0.0, place(end))) for end in (ends or (mean, mean)))
    distance: float = max(least - place(value), place(value) - most, 0.0)
    return max(0.0, 1.0 - 2.0 * distance)


def happened(recording: Path, meta: Any, asked: Any) -> int:
    """The machine or task of the first decision of a reason after an instant, as a recording has it."""
    with zipfile.ZipFile(recording) as file:
        log = pq.read_table(io.BytesIO(file.read("decisions.parquet")))
    reason = next(each["code"] for each in meta["reasons"] if each["name"] == asked["reason"])
    after = log["t_ns"].to_numpy() > round(asked["after_s"] * 1e9)
    first = int(np.flatnonzero(after & (log["reason"].to_numpy() == reason))[0])
    return int(log[asked.get("target", "machine")].to_numpy()[first])
