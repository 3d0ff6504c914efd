"""The result of a solver."""

from __future__ import annotations

from dataclasses import dataclass

OPTIMAL, INFEASIBLE, UNBALANCED = "optimal", "infeasible", "unbalanced"


@dataclass(frozen=True)
class Solution:
    """The result of a solve: the minimal cost and the flow. Both are 0 without a solution.

    `infeasible`: the arcs cannot carry all supply to the demand; `unbalanced`: the supplies do not sum to 0.
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
