"""How a claim's figure and sheet are asked for."""

from __future__ import annotations

from pydantic import Field

from playground.claims.again import Seeds
from playground.figures.schemas import LookIn
from playground.web.schemas import Shape


class SeedsIn(Shape):
    """The seeds of a claim's run."""

    seeds: int = Field(default=0, ge=0, le=20)
    """The number of seeds that take the place of the claim's own; 0 for its own. At most 20."""
    first: int = Field(default=101, ge=0, le=1_000_000_000, alias="from")
    """The first of these seeds."""

    def chosen(self) -> Seeds:
        return Seeds(self.seeds, self.first) if self.seeds else Seeds()


class ClaimIn(Shape):
    """A claim's figure."""

    again: bool = False
    """Draw this server's newest run of the claim over the figure."""


class ClaimFigureIn(ClaimIn, LookIn):
    """A claim's figure and how it is to look."""
