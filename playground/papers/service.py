"""Prepare the papers' pages: claims as tiles, and a paper's claims with their parts."""

from __future__ import annotations

import functools
from collections import Counter
from dataclasses import dataclass
from typing import Any, cast

from playground.catalogue.cards import shown_card
from playground.claims.labels import label_of
from playground.figures.captions import seed_words
from playground.figures.claim_parts import (
    band_words,
    compared_words,
    drawn_parts,
    has_figure,
    our_words,
    part_value_words,
)
from playground.figures.words import capital
from playground.papers.links import LINKS, compared_links, is_drawn, studio_links
from playground.web.words import gettext
from scheduler_core import ExperimentError
from scheduler_core.claims import Claim, known_claims
from scheduler_core.claims.declared import KNOWN
from scheduler_core.claims.outside import Missing
from scheduler_core.claims.papers import PROGRAMS, Paper, Standing, papers, standing
from scheduler_core.claims.parts import PartRow, part_rows
from scheduler_core.claims.results import Result, saved_results
from scheduler_core.claims.setups import setup_data, with_parents

#: In the order of the wall: missed claims come before claims that could not have failed.
STANDINGS: dict[str, tuple[str, str]] = {
    "tick": ("Reproduced", "The source gives the parameters, or we assumed them before the first run."),
    "sign only": (
        "Right direction, wrong size",
        "The direction is the published one. The size of at least one part is outside its accepted range.",
    ),
    "not reproduced": (
        "Not fully reproduced",
        "At least one part of the claim is not reproduced. Each tile says how many parts are.",
    ),
    "reproduced": (
        "Reproduced, but weak evidence",
        "We fitted the parameters or chose them after seeing results, or the claim could not have failed.",
    ),
    "cannot be run": ("Cannot be run", "This simulator lacks something that the claim needs."),
}
_CAUSES = {
    "The setting is unknown": "Cause: a setting that the source does not give.",
    "Our reading differs": "Cause: our reading of the rules.",
    "The claim does not hold in this model": "Cause: the limits of our model.",
    "The seeds differ": "Cause: chance; results differ from seed to seed.",
}
"""What the causes of a miss, with which its reason begins, are called on a page."""
_SHORT = {
    "given": "parameters given by the source",
    "assumed": "parameters assumed before the first run",
    "calibrated": "parameters fitted to the claim's own figures",
    "chosen": "parameters chosen after results were seen",
    "construction": "holds by construction",
}
_WORKLOADS = {
    "synthetic": "Synthetic workload",
    "dag": "Synthetic graphs of stages",
    "inline": "Jobs listed one by one",
    "trace": "Workload of a trace",
}


@dataclass(frozen=True)
class Asked:
    """The filters of the wall of claims; an empty filter lets everything through."""

    verdict: str = ""
    scheduler: str = ""
    paper: str = ""

    def lets(self, paper: Paper, claim: Claim) -> bool:
        """Return True if a claim passes the filters."""
        return (
            self.verdict in ("", standing(claim))
            and self.paper in ("", paper.name)
            and (not self.scheduler or self.scheduler in paper.schedulers)
        )


def wall(asked: Asked) -> list[dict[str, Any]]:
    """Return the claims that pass the filters, grouped by status."""
    groups: dict[str, list[dict[str, Any]]] = {name: [] for name in STANDINGS}
    for paper in papers().values():
        for claim in (*paper.claims, *paper.besides):
            if asked.lets(paper, claim):
                groups[standing(claim)].append(_tile(paper, claim))
    return [
        {"standing": name, "label": STANDINGS[name][0], "about": STANDINGS[name][1], "tiles": tiles}
        for name, tiles in groups.items()
        if tiles
    ]


def choices() -> dict[str, list[tuple[str, str]]]:
    """Return the choices of the filters, as values and labels."""
    names = {name for paper in papers().values() for name in paper.schedulers}
    schedulers = sorted(((name, label_of(name)) for name in names), key=lambda one: one[1].lower())
    return {
        "verdict": [(name, label) for name, (label, _) in STANDINGS.items()],
        "scheduler": schedulers,
        "paper": [(paper.name, paper.system) for paper in papers().values()],
    }


def _tile(paper: Paper, claim: Claim) -> dict[str, Any]:
    verdicts = [row.verdict for row in part_rows(claim, saved_results().get(claim.id))]
    return {
        "id": claim.id,
        "paper": paper.name,
        "system": paper.system,
        "ref": claim.place,
        "says": claim.says,
        "known": claim.missing or _SHORT[claim.known],
        "beside": _beside(claim),
        "held": verdicts.count("reproduced"),
        "parts": len(verdicts),
    }


def _beside(claim: Claim) -> str:
    """Return in words what sets a claim apart from the paper's own: a public program, other settings, or nothing."""
    if claim.source == PROGRAMS:
        return gettext("compared with a public program")
    return gettext("other settings") if claim.page else ""


def paper_view(paper: Paper) -> dict[str, Any]:
    """Return the content of a paper's page."""
    saved = saved_results()
    return {
        "paper": paper,
        "parts": [
            {"name": name, "claims": [claim_view(claim, saved.get(claim.id)) for claim in claims]}
            for name, claims in _parted(paper)
            if claims
        ],
        "moving": next((card for name in paper.schedulers if (card := shown_card(name)) is not None), None),
        "counts": _counted(paper),
    }


def _parted(paper: Paper) -> list[tuple[str, list[Claim]]]:
    """Split what a page shows: the paper's claims, comparisons with programs, and what we ran besides."""
    programs = [claim for claim in paper.besides if claim.source == PROGRAMS]
    others = [claim for claim in paper.besides if claim.source != PROGRAMS]
    return [
        ("", [*paper.claims]),
        (gettext("Compared with the authors' public program"), programs),
        (gettext("The paper's figures in other settings"), others),
    ]


def _counted(paper: Paper) -> list[dict[str, Any]]:
    """Count a paper's claims by how they stand, in the order of the wall."""
    found = Counter(standing(claim) for claim in (*paper.claims, *paper.besides))
    return [
        {"standing": name, "label": label, "count": found[cast("Standing", name)]}
        for name, (label, _) in STANDINGS.items()
        if found[cast("Standing", name)]
    ]


def claim_view(claim: Claim, result: Result | None) -> dict[str, Any]:
    """Return a claim with its verdict, its parts as rows of words, and links to its experiments."""
    rows = part_rows(claim, result)
    drawn = {at for at, _ in drawn_parts(rows)} if claim.chart is None and has_figure(claim, rows) else set()
    return {
        "claim": claim,
        "standing": standing(claim),
        "label": STANDINGS[standing(claim)][0],
        "theirs": gettext("Program") if claim.source == PROGRAMS else gettext("Published"),
        "why": _why(claim),
        "honest": _honest(claim),
        "known": KNOWN[claim.known],
        "rows": [_row(at, row) for at, row in enumerate(rows, start=1)],
        "figure": has_figure(claim, rows),
        "compared": capital(compared_words(claim, rows)),
        "left_out": bool(drawn) and len(drawn) < len(rows),
        "result": result,
        "seeds": seed_words(result.found.seeds) if result is not None else "",
        "many_seeds": result is not None and len(result.found.seeds) > 1,
        "links": studio_links(claim.id),
        "compared_links": compared_links(claim.id),
    }


def _why(claim: Claim) -> str:
    """Give the reason of a claim's verdict in a sentence."""
    if claim.reason:
        cause, _, told = claim.reason.partition(": ")
        return f"{_CAUSES[cause]} {capital(told)}"
    told = claim.missing or KNOWN[claim.known]
    return (
        told
        if claim.ticked or claim.missing
        else gettext("Weak evidence: {reason}", reason=f"{told[:1].lower()}{told[1:]}")
    )


def _honest(claim: Claim) -> list[str]:
    """Return in a few words how far the comparison can be trusted: the origin of parameters and workload."""
    if claim.missing:
        return []
    return [capital(_SHORT[claim.known]), *_workloads(claim.id)]


@functools.cache
def _workloads(claim_id: str) -> tuple[str, ...]:
    """Name the kinds of workload of a claim's first experiments."""
    claim = known_claims()[claim_id]
    found = []
    for name in [name for name in claim.setups if name in claim.named][:LINKS]:
        if "trace" in (claim.setups[each].drawn.get("by") for each in with_parents({name}, claim.setups)):
            found.append(_WORKLOADS["trace"])
            continue
        try:
            data = (
                {"workload": {"kind": "synthetic"}}
                if is_drawn(claim, name)
                else setup_data(claim.setups, claim.setups[name], claim.seeds[0])
            )
        except (ExperimentError, Missing):  # an input that a person has to fetch
            data = {"workload": {"kind": "trace"}}
        found.append(_WORKLOADS.get((data.get("workload") or {}).get("kind", "inline"), "Synthetic workload"))
    return tuple(dict.fromkeys(found))


def _row(at: int, row: PartRow) -> dict[str, Any]:
    return {
        "at": at,
        "name": row.name,
        "published": part_value_words(row.published, row.unit),
        "ours": our_words(row),
        "words": row.words if row.ours is not None else "",
        "band": band_words(row),
        "verdict": row.verdict or "no saved run",
        "told": "right direction" if row.verdict == "sign only" else row.verdict or "no saved run",
    }


def counts() -> dict[str, int]:
    """Return the numbers of claims, of papers that make them, of comparisons besides, of both, and of all ticks."""
    own = [claim for paper in papers().values() for claim in paper.claims]
    besides = [claim for paper in papers().values() for claim in paper.besides]
    return {
        "claims": len(own),
        "papers": sum(bool(paper.claims) for paper in papers().values()),
        "besides": len(besides),
        "all": len(own) + len(besides),
        "ticks": sum(standing(claim) == "tick" for claim in (*own, *besides)),
    }
