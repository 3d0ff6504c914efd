"""The report of a soak: each quantity's slope after the warm-up, and whether it is within noise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from scipy import stats

#: What people keep: it grows with what they make.
_KEPT = ("rows of run", "rows of experiment", "rows of study", "rows of studyrun")
_PARTS = 8
_SMALL = {"MB": 20.0, "open files": 20.0, "keys": 50.0}


def report(
    rows: Sequence[Mapping[str, float]], counts: Mapping[str, int], *, warm_up_s: float
) -> tuple[list[str], bool]:
    """Return the lines of the report, and whether nothing grew that should not."""
    late = [row for row in rows if row["t_s"] >= warm_up_s]
    lines = [
        f"{rows[-1]['t_s'] / 60:.1f} minutes, of which {warm_up_s / 60:.1f} to warm up; {len(late)} samples after that",
        "load: " + ", ".join(f"{value:,} {name}" for name, value in sorted(counts.items())),
        "",
        "| quantity | at first | at the end | most | slope an hour (95 %) | verdict |",
        "|---|---|---|---|---|---|",
    ]
    held = True
    for name in [key for key in rows[-1] if key != "t_s"]:
        line, grew = _line(name, late)
        lines.append(line)
        held &= not grew
    return lines, held


def _line(name: str, late: Sequence[Mapping[str, float]]) -> tuple[str, bool]:
    t, y = (np.array([row.get(key, np.nan) for row in late], dtype=float) for key in ("t_s", name))
    known = ~np.isnan(y)
    t, y = t[known], y[known]
    if len(y) < 2 * _PARTS:
        return f"| {name} | | | | | too few samples |", False
    slope, half = _slope(t / 3600, y)
    grew = name not in _KEPT and slope - half > 0 and slope * (t[-1] - t[0]) / 3600 > _bound(name, float(y[0]))
    verdict = "kept by design" if name in _KEPT else "GROWS" if grew else "holds"
    told = f"| {name} | {y[0]:,.0f} | {y[-1]:,.0f} | {y.max():,.0f} | {slope:+,.1f} ± {half:,.1f} | {verdict} |"
    return told, grew


def _slope(hours: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """Fit a line through the means of a few parts of the time: samples that follow one another are alike."""
    t = np.array([part.mean() for part in np.array_split(hours, _PARTS)])
    means = np.array([part.mean() for part in np.array_split(y, _PARTS)])
    fit = stats.linregress(t, means)
    return float(fit.slope), float(stats.t.ppf(0.975, _PARTS - 2) * fit.stderr)


def _bound(name: str, first: float) -> float:
    """Return the growth over the measured time that counts as noise."""
    return next((least for unit, least in _SMALL.items() if name.endswith(unit)), 0.05 * first)
