"""How a claim's figure and sheet are asked for."""

from __future__ import annotations

from playground.figures.schemas import LookIn
from playground.web.schemas import Shape


class ClaimIn(Shape):
    """A claim's figure."""

    again: bool = False
    """Draw this server's newest run of the claim over the figure."""


class ClaimFigureIn(ClaimIn, LookIn):
    """A claim's figure and how it is to look."""
