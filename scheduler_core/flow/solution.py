"""What solvers answer."""

from __future__ import annotations

from dataclasses import dataclass

OPTIMAL, INFEASIBLE, UNBALANCED = "optimal", "infeasible", "unbalanced"


@dataclass(frozen=True)
class Solution:
    """The result of a solve: the least cost and the flow. Both are 0 without a solution.

    `infeasible`: the arcs cannot take all supplies to where they are wanted; `unbalanced`: supplies do not add up to 0.
    """

    status: str
    cost: int
    flow: int


@dataclass(frozen=True)
class Work:
    """What a solver did so far, counted: the same for a seed on every machine.

    Searches for a way, halves of arcs looked at, halves that flow was moved over, and arcs that were changed from
    outside.
    """

    searches: int
    scanned: int
    moved: int
    changed: int
