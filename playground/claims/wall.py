"""Show all claims as tiles by verdict, and one paper with its claims."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, cast

from playground.catalogue.cards import shown_card
from playground.claims.labels import label_of
from playground.claims.view import SHORT, STANDINGS, claim_view
from playground.web.words import gettext, ngettext
from scheduler_core.claims import Claim
from scheduler_core.claims.counted import CountedAs, counted_as
from scheduler_core.claims.papers import PROGRAMS, Paper, Standing, papers, standing
from scheduler_core.claims.parts import part_rows
from scheduler_core.claims.results import saved_results

#: The parts that the pages count apart.
ShownPart = Literal["papers", "programs", "settings"]


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
        {
            "standing": name,
            "label": gettext(STANDINGS[name][0]),
            "about": gettext(STANDINGS[name][1]),
            "tiles": tiles,
            "counts": _by_part(tiles),
        }
        for name, tiles in groups.items()
        if tiles
    ]


def _by_part(tiles: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Count the tiles of a group apart, as the head of the page counts them."""
    words: dict[str, Callable[[int], str]] = {
        "papers": lambda many: ngettext(
            "{count} statement of a paper", "{count} statements of papers", many, count=many
        ),
        "programs": lambda many: ngettext(
            "{count} comparison with a program", "{count} comparisons with programs", many, count=many
        ),
        "settings": lambda many: gettext("{count} in other settings", count=many),
    }
    found = Counter(tile["part"] for tile in tiles)
    return [{"part": part, "words": told(found[part])} for part, told in words.items() if found[part]]


def choices() -> dict[str, list[tuple[str, str]]]:
    """Return the choices of the filters, as values and labels."""
    names = {name for paper in papers().values() for name in paper.schedulers}
    schedulers = sorted(((name, label_of(name)) for name in names), key=lambda one: one[1].lower())
    return {
        "verdict": [(name, gettext(label)) for name, (label, _) in STANDINGS.items()],
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
        "known": claim.missing or gettext(SHORT[claim.known]),
        "part": part_of(claim),
        "beside": _beside(claim),
        "held": verdicts.count("reproduced"),
        "parts": len(verdicts),
    }


def part_of(claim: Claim) -> ShownPart:
    """Return where a claim counts: as a statement of a paper, a comparison with a program, or in other settings."""
    if claim.source == PROGRAMS:
        return "programs"
    return "settings" if claim.page else "papers"


def _beside(claim: Claim) -> str:
    """Return in words what sets a claim apart from the paper's own: a public program, other settings, or nothing."""
    words = {"papers": "", "programs": gettext("compared with a public program"), "settings": gettext("other settings")}
    return words[part_of(claim)]


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
        {"standing": name, "label": gettext(label), "count": found[cast("Standing", name)]}
        for name, (label, _) in STANDINGS.items()
        if found[cast("Standing", name)]
    ]


def counts() -> dict[str, Any]:
    """Return the number of papers, and of each part of their pages the number of claims and the counts by kind."""
    shown = [claim for paper in papers().values() for claim in (*paper.claims, *paper.besides)]
    of = Counter(part_of(claim) for claim in shown)
    kinds = {part: _kinds([claim for claim in shown if part_of(claim) == part]) for part in of}
    return {"papers": sum(bool(paper.claims) for paper in papers().values()), "of": of, "kinds": kinds}


def _kinds(claims: list[Claim]) -> list[tuple[int, str]]:
    """Return how many claims count as each kind, with the kind in words."""
    words: dict[CountedAs, str] = {
        "beforehand": gettext("reproduced, with parameters given or assumed beforehand"),
        "weakly": gettext("reproduced, but after fitting or weakly"),
        "edge": gettext("at the edge: reproduced under 10 to 90 % of the seeds"),
        "sign": gettext("right direction, wrong size"),
        "not": gettext("not reproduced"),
        "none": gettext("no evidence yet"),
        "cannot": gettext("cannot be run"),
    }
    found = Counter(counted_as(claim) for claim in claims)
    return [(found[name], told) for name, told in words.items() if found[name]]
