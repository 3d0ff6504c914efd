"""docs/development/agreement.md says what the shipped figures say: each band, and whether ours lies in it. No trace
is needed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.core import published, test_agreement_hybrid
from tests.support import PROJECT

PAGE = (PROJECT / "docs" / "development" / "agreement.md").read_text(encoding="utf-8")
OVER_SEEDS = {
    "Sparrow, YH1, 4,000 workers": "YH1_4000_sparrow",
    "Sparrow, GOOG, 10,000 workers": "GOOG_10000_sparrow",
}
MODES = {"Phoenix": "phoenix", "Eagle-C": "eagle-C", "Hawk-C": "hawk-C", "Sparrow-C": "sparrow-C"}
ROUNDED = 0.006
"""Bands are printed with three digits or more."""


def rows(heading: str) -> Iterator[list[str]]:
    """Give the cells of the first table under a heading, with the run of an earlier row where a row names none."""
    run = ""
    for line in PAGE.split(f"{heading}\n", 1)[1].split("\n\n# ", 1)[0].splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("| ") or cells[0] == "run" or len(cells) != 5:
            continue
        run = cells[0] or run
        yield [run, *cells[1:]]


def numbers(cell: str) -> list[float]:
    """Return the numbers of a cell, without what stands in brackets."""
    return [float(one.replace(",", "")) for one in re.findall(r"\d[\d,]*(?:\.\d+)?", re.sub(r"\(.*?\)", "", cell))]


def statistics(cell: str) -> list[str]:
    return re.findall(r"mean|p\d\d", cell)


def told(row: list[str]) -> Iterator[tuple[str, float, float, float]]:
    """Give each statistic of a row with our figure, and the printed ends of its band."""
    ours, ends = numbers(row[2]), numbers(row[3])
    for place, statistic in enumerate(statistics(row[1])):
        yield statistic, ours[place], ends[2 * place], ends[2 * place + 1]


def is_told(printed: tuple[float, float], known: tuple[float, float], ours: float, verdict: str) -> None:
    assert printed == (pytest.approx(known[0], rel=ROUNDED, abs=0.011), pytest.approx(known[1], rel=ROUNDED, abs=0.011))
    assert (printed[0] <= ours <= printed[1]) == ("miss" not in verdict)


def test_bands_over_seeds_are_those_of_the_shipped_figures() -> None:
    seen = 0
    for row in rows("# Agreement with public simulators"):
        if row[0] in OVER_SEEDS and statistics(row[1]):
            for statistic, ours, low, high in told(row):
                known = published.figures("seeds")[OVER_SEEDS[row[0]]]["all"][statistic]
                is_told((low, high), (0.95 * known["low"], 1.05 * known["high"]), ours, row[4])
                seen += 1
    assert seen == 6


def test_bands_of_hybrid_schedulers_are_those_of_the_shipped_figures() -> None:
    seen, scheduler, run = 0, "", ""
    for row in rows("# Hybrid schedulers"):
        named, _, place = row[0].rpartition(": ")
        scheduler, run = named.lower() or scheduler, place
        if not statistics(row[1]):
            continue
        trace, machines = run.split(", ", 1)
        for statistic, ours, low, high in told(row):
            name = re.split("[:,]", row[1])[0]
            setting = (scheduler, trace, int(machines.replace(",", "")), name, statistic)
            is_told((low, high), test_agreement_hybrid.band(*setting), ours, row[4])
            seen += 1
    assert seen > 50


def test_bands_of_phoenix_and_its_kind_are_those_of_the_shipped_figures() -> None:
    seen = 0
    for row in rows("# Phoenix and those it is compared with"):
        for statistic, ours, low, high in told(row):
            known = published.figures("phoenix")[MODES[row[0]]][f"{row[1].split(':')[0]}_delay_s"][statistic]
            is_told((low, high), (0.9 * known["min"], 1.1 * known["max"]), ours, row[4])
            seen += 1
    assert seen == 36
