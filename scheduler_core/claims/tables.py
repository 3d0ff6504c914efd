"""Write Markdown tables of claims from the results file, for docs/development/agreement.md."""

from __future__ import annotations

import functools
from collections.abc import Iterator

from scheduler_core.claims.charts import Band
from scheduler_core.claims.declared import Claim
from scheduler_core.claims.known import known_claims
from scheduler_core.claims.over_seeds import SeedVerdict, stored_verdict
from scheduler_core.claims.papers import standing
from scheduler_core.claims.parts import PartRow, part_rows
from scheduler_core.claims.results import Result, saved_results

_KNOWN = {
    "given": "given",
    "assumed": "assumed beforehand",
    "calibrated": "fitted to figures of the paper",
    "chosen": "chosen after results were seen",
    "construction": "by construction",
}
_VERDICTS: dict[SeedVerdict, str] = {
    "reproduced": "reproduced",
    "sign only": "right direction, wrong size",
    "not reproduced": "**not reproduced**",
    "cannot be run": "cannot be run",
    "at the edge": "at the edge",
    "no evidence": "no evidence yet",
}


def claims_table(*wanted: str) -> Iterator[str]:
    """Write claims of these sources, or with these ids, part by part: published, ours, the band and the verdict.

    A claim's own row has its verdict, a tick if it earns one, and how its parameters were come by.
    """
    saved = saved_results()
    claims = [one for one in known_claims().values() if one.source in wanted or one.id in wanted]
    days = sorted({f"{saved[one.id].date} (version {saved[one.id].version})" for one in claims if one.id in saved})
    yield (
        f"Runs of {' and '.join(days)}; medians, and the range over seeds in brackets." if days else "No run is saved."
    )
    yield from ("", "| claim, or its part | published | ours | must be | verdict |", "|---|---|---|---|---|")
    for claim in claims:
        yield from _rows(claim, saved.get(claim.id))


def _rows(claim: Claim, result: Result | None) -> Iterator[str]:
    tick = " ✓" if standing(claim) == "tick" else ""
    known = f"; {_KNOWN[claim.known]}" if not claim.missing else ""
    verdict = f"{_VERDICTS[_told(claim, result)]}{tick}{known}"
    seeds = f"{len(result.found.seeds)} seeds" if result is not None and len(result.found.seeds) > 1 else ""
    yield _line(f"**`{claim.id}`**, {claim.ref}: {claim.says}", claim.published, seeds, "", verdict)
    for row in part_rows(claim, result):
        words = f" ({row.words})" if row.words else ""
        ours = f"{_ours(row)}{words}" if row.ours is not None else row.words or "–"
        band = "" if row.band is None else _range(row.band, row.unit)
        if row.catalogue is not None:
            band += f" (the catalogue: {_range(row.catalogue, row.unit)})"
        verdict = _VERDICTS[row.verdict] if row.verdict is not None else "–"
        yield _line(f"· {row.name}", _value(row.published, row.unit), ours, band, verdict)


def _told(claim: Claim, result: Result | None) -> SeedVerdict:
    return stored_verdict(claim, result.found if result is not None else None)


def _ours(row: PartRow) -> str:
    """Return the median, and the least and the largest of the seeds where they differ."""
    low, high = (_value(end, row.unit) for end in (min(row.seeds, default=None), max(row.seeds, default=None)))
    return _value(row.ours, row.unit) + (f" [{low} to {high}]" if low != high else "")


def _value(value: float | None, unit: str) -> str:
    if value is None:
        return "–"
    if unit == "s" and 0 < abs(value) < 0.1:
        return f"{_short(value * 1000)} ms"
    if unit == "1":
        return f"{_short(value * 100)} %"
    return f"{_short(value)} {unit}".rstrip()


def _end(value: float, unit: str) -> str:
    """Write an end of a band with up to six digits."""
    if unit == "1":
        return f"{value * 100:g} %"
    return f"{value * 1000:g} ms" if unit == "s" and 0 < abs(value) < 0.1 else f"{value:,.6g} {unit}".rstrip()


def _range(band: Band, unit: str) -> str:
    return band.in_words(functools.partial(_end, unit=unit))


def _short(value: float) -> str:
    if value == 0:
        return "0"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def _line(*cells: str) -> str:
    return "| " + " | ".join(_cell(each) for each in cells) + " |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
