"""The papers whose claims are in `data/papers`: a description of each system, and its claims, the main one first."""

from __future__ import annotations

import functools
import tomllib
from typing import Literal

from pydantic import Field

from scheduler_core.claims.declared import DATA, Claim, written_claims
from scheduler_core.claims.over_seeds import SeedVerdict, saved_verdict
from scheduler_core.claims.setups import Part

PROGRAMS = "oracle"
"""The source of comparisons with public programs."""
Standing = SeedVerdict | Literal["tick"]


class Paper(Part):
    """A paper: its title, its system in five sentences, and the schedulers here that follow it."""

    name: str
    title: str = Field(max_length=160)
    system: str = Field(max_length=40)
    source: str = Field(max_length=200)
    """What of the paper was at hand."""
    about: tuple[str, str, str, str, str]
    schedulers: tuple[str, ...] = Field(min_length=1)
    main: str
    """The id of the claim that its page begins with."""
    words: dict[str, str] = Field(default_factory=dict)
    """What the words in the names of its setups mean, for labels."""

    @property
    def claims(self) -> tuple[Claim, ...]:
        """Return its claims, the main one first."""
        own = [claim for claim in written_claims().values() if claim.source == self.name]
        return tuple(sorted(own, key=lambda claim: claim.id != self.main))

    @property
    def besides(self) -> tuple[Claim, ...]:
        """Return what else stands on its page: comparisons with its authors' program, and other settings."""
        also = [claim for claim in written_claims().values() if claim.page == self.name]
        return tuple(sorted(also, key=lambda claim: (claim.source != PROGRAMS, claim.id != self.main)))


@functools.cache
def papers() -> dict[str, Paper]:
    """Return all papers by name, those with most claims first."""
    found = []
    for path in sorted((DATA / "papers").glob("*.toml")):
        head = tomllib.loads(path.read_text(encoding="utf-8"))["paper"]
        found.append(Paper.model_validate({"name": path.stem} | head))
    return {paper.name: paper for paper in sorted(found, key=lambda paper: (-len(paper.claims), paper.system))}


def page_of(claim: Claim) -> str:
    """Return the name of the paper on whose page a claim stands; none where there is no such page."""
    name = claim.page or claim.source
    return name if name in papers() else ""


def standing(claim: Claim, verdict: SeedVerdict | None = None) -> Standing:
    """Return a claim's standing by its saved run; a tick needs parameters that were published or assumed before."""
    found = verdict or saved_verdict(claim)
    return "tick" if found == "reproduced" and claim.ticked else found
