"""Count the papers' statements by kind of verdict, and apart from them the comparisons with programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Literal

from scheduler_core.claims.declared import Claim
from scheduler_core.claims.over_seeds import saved_verdict
from scheduler_core.claims.papers import PROGRAMS, papers

CountedAs = Literal["beforehand", "weakly", "edge", "sign", "not", "none", "cannot"]

COUNTED: dict[CountedAs, str] = {
    "beforehand": "reproduced, with parameters given or assumed beforehand",
    "weakly": "reproduced, but after fitting or weakly",
    "edge": "at the edge: reproduced under 10 to 90 % of the seeds",
    "sign": "right direction, wrong size",
    "not": "not reproduced",
    "none": "no evidence yet",
    "cannot": "cannot be run",
}
"""What the kinds mean, in the order in which they are told."""
_AS: dict[str, CountedAs] = {
    "at the edge": "edge",
    "sign only": "sign",
    "not reproduced": "not",
    "no evidence": "none",
    "cannot be run": "cannot",
}


def counted_as(claim: Claim) -> CountedAs:
    """Return the kind that a claim counts as, by the figures of its saved run."""
    told = saved_verdict(claim)
    if told == "reproduced":
        return "beforehand" if claim.ticked else "weakly"
    return _AS[told]


def counted(*, programs: bool = False) -> dict[CountedAs, int]:
    """Count the papers' statements by kind, or the comparisons with programs; kinds without any are left out."""
    if programs:
        claims = [one for paper in papers().values() for one in paper.besides if one.source == PROGRAMS]
    else:
        claims = [one for paper in papers().values() for one in paper.claims]
    found = Counter(counted_as(one) for one in claims)
    return {name: found[name] for name in COUNTED if found[name]}


def counted_lines() -> Iterator[str]:
    """Tell the counts in lines: the papers' statements, then the comparisons with programs."""
    for title, programs in (("statements of papers", False), ("comparisons with public programs", True)):
        found = counted(programs=programs)
        yield f"{sum(found.values())} {title}:"
        yield from (f"  {many:>3}  {COUNTED[name]}" for name, many in found.items())
