"""Show one claim: its verdict, its parts in words, and links to its experiments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from playground.claims.links import LINKS, compared_links, is_drawn, studio_links
from playground.claims.openings import once
from playground.claims.parts import (
    band_words,
    compared_words,
    drawn_parts,
    has_figure,
    our_words,
    part_value_words,
    range_words,
)
from playground.figures.captions import seed_words
from playground.figures.words import capital
from playground.web.words import gettext
from playground.web.words import marked as _
from scheduler_core import ExperimentError
from scheduler_core.claims import Claim
from scheduler_core.claims.declared import KNOWN
from scheduler_core.claims.outside import Missing
from scheduler_core.claims.over_seeds import seeds_inside
from scheduler_core.claims.papers import PROGRAMS, Standing, standing
from scheduler_core.claims.parts import PartRow, part_rows
from scheduler_core.claims.results import Result
from scheduler_core.claims.setups import setup_data, with_parents

#: In the order of the wall: missed claims come before claims that could not have failed.
STANDINGS: dict[str, tuple[str, str]] = {
    "tick": (_("Reproduced"), _("The source gives the parameters, or we assumed them before the first run.")),
    "sign only": (
        _("Right direction, wrong size"),
        _("The direction is the published one. The size of at least one part is outside its accepted range."),
    ),
    "at the edge": (
        _("At the edge"),
        _("The claim holds under some seeds and not under others: under 10 to 90 % of them."),
    ),
    "not reproduced": (
        _("Not fully reproduced"),
        _("At least one part of the claim is not reproduced. Each tile says how many parts are."),
    ),
    "reproduced": (
        _("Reproduced, but weak evidence"),
        _("We fitted the parameters or chose them after seeing results, or the claim could not have failed."),
    ),
    "no evidence": (_("No evidence yet"), _("At least one part of the claim was not run yet.")),
    "cannot be run": (_("Cannot be run"), _("This simulator lacks something that the claim needs.")),
}
_CAUSES = {
    "The setting is unknown": _("Cause: a setting that the source does not give."),
    "Our reading differs": _("Cause: our reading of the rules."),
    "The claim does not hold in this model": _("Cause: the limits of our model."),
    "The seeds differ": _("Cause: chance; results differ from seed to seed."),
}
"""What the causes of a miss, with which its reason begins, are called on a page."""
VERDICTS = {
    "reproduced": _("reproduced"),
    "sign only": _("right direction"),
    "at the edge": _("at the edge"),
    "not reproduced": _("not reproduced"),
    "no evidence": _("no evidence"),
    "cannot be run": _("cannot be run"),
    "no saved run": _("no saved run"),
}
"""What the verdicts of parts are called, and a part without a saved run."""
SHORT = {
    "given": _("parameters given by the source"),
    "assumed": _("parameters assumed before the first run"),
    "calibrated": _("parameters fitted to figures of a paper"),
    "chosen": _("parameters chosen after results were seen"),
    "construction": _("holds by construction"),
}
_WORKLOADS = {
    "synthetic": _("Synthetic workload"),
    "dag": _("Synthetic graphs of stages"),
    "inline": _("Jobs listed one by one"),
    "trace": _("Workload of a trace"),
}


@dataclass(frozen=True)
class ClaimView:
    """What a page and a sheet show of a claim: its verdict, its parts as rows of words, links to its experiments."""

    claim: Claim
    result: Result | None
    parts: tuple[PartRow, ...]

    @property
    def standing(self) -> Standing:
        return standing(self.claim)

    @property
    def label(self) -> str:
        return gettext(STANDINGS[self.standing][0])

    @property
    def theirs(self) -> str:
        return gettext("Program") if self.claim.source == PROGRAMS else gettext("Published")

    @property
    def why(self) -> str:
        return " ".join(one for one in (self.at_the_edge, _why(self.claim)) if one)

    @property
    def at_the_edge(self) -> str:
        """The number of seeds under which a claim at the edge holds, in a sentence."""
        if self.standing != "at the edge" or self.result is None:
            return ""
        inside = seeds_inside(self.claim, self.result.found)
        return gettext("The claim holds under {held} of {all} seeds.", held=sum(inside.values()), all=len(inside))

    @property
    def honest(self) -> list[str]:
        return _honest(self.claim)

    @property
    def known(self) -> str:
        return gettext(KNOWN[self.claim.known])

    @property
    def rows(self) -> list[dict[str, Any]]:
        return [_row(at, part) for at, part in enumerate(self.parts, start=1)]

    @property
    def catalogued(self) -> bool:
        """Whether the catalogue of published claims has another range for a part."""
        return any(part.catalogue is not None for part in self.parts)

    @property
    def figure(self) -> bool:
        return has_figure(self.claim, self.parts)

    @property
    def compared(self) -> str:
        return capital(compared_words(self.claim, self.parts))

    @property
    def left_out(self) -> bool:
        """Whether the figure leaves out parts that the table shows."""
        return self.claim.chart is None and self.figure and len(drawn_parts(self.parts)) < len(self.parts)

    @property
    def seeds(self) -> str:
        return seed_words(self.result.found.seeds) if self.result is not None else ""

    @property
    def many_seeds(self) -> bool:
        return self.result is not None and len(self.result.found.seeds) > 1

    @property
    def links(self) -> tuple[dict[str, str], ...]:
        return studio_links(self.claim)

    @property
    def compared_links(self) -> tuple[dict[str, str], ...]:
        return compared_links(self.claim)


def claim_view(claim: Claim, result: Result | None) -> ClaimView:
    """Return what is shown of a claim with a saved result, or without one."""
    return ClaimView(claim, result, part_rows(claim, result))


def _why(claim: Claim) -> str:
    """Give the reason of a claim's verdict in a sentence."""
    if claim.reason:
        cause, _, told = claim.reason.partition(": ")
        return f"{gettext(_CAUSES[cause])} {capital(told)}"
    told = claim.missing or gettext(KNOWN[claim.known])
    if claim.ticked or claim.missing:
        return told
    return gettext("Weak evidence: {reason}", reason=f"{told[:1].lower()}{told[1:]}")


def _honest(claim: Claim) -> list[str]:
    """Return in a few words how far the comparison can be trusted: the origin of parameters and workload."""
    if claim.missing:
        return []
    return [capital(gettext(SHORT[claim.known])), *(gettext(_WORKLOADS[kind]) for kind in _workloads(claim))]


@once
def _workloads(claim: Claim) -> tuple[str, ...]:
    """Return the kinds of workload of a claim's first experiments."""
    found = []
    for name in [name for name in claim.setups if name in claim.named][:LINKS]:
        if "trace" in (claim.setups[each].drawn.get("by") for each in with_parents({name}, claim.setups)):
            found.append("trace")
            continue
        try:
            data = (
                {"workload": {"kind": "synthetic"}}
                if is_drawn(claim, name)
                else setup_data(claim.setups, claim.setups[name], claim.seeds[0])
            )
        except (ExperimentError, Missing):  # an input that a person has to fetch
            data = {"workload": {"kind": "trace"}}
        kind = (data.get("workload") or {}).get("kind", "inline")
        found.append(kind if kind in _WORKLOADS else "synthetic")
    return tuple(dict.fromkeys(found))


def _row(at: int, row: PartRow) -> dict[str, Any]:
    return {
        "at": at,
        "name": row.name,
        "published": part_value_words(row.published, row.unit),
        "ours": our_words(row),
        "words": row.words if row.ours is not None else "",
        "band": band_words(row),
        "catalogue": range_words(row.catalogue, row.unit),
        "verdict": row.verdict or "no saved run",
        "told": gettext(VERDICTS[row.verdict or "no saved run"]),
    }
