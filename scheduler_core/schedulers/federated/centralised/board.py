"""The centralized scheduler on a message board: Megha's board with one scheduler and one server."""

from __future__ import annotations

from dataclasses import replace

from scheduler_core.schedulers.federated.megha.paper.board import BOARD
from scheduler_core.world.board import LaneKind

_WORDS = {
    "A Local Master": "The cluster manager", "The Local Master": "The cluster manager",
    "Local Master": "cluster manager", "A Global Master": "The scheduler", "to every Global Master": "to the scheduler",
}  # fmt: skip


def _of_one(text: str) -> str:
    for word, other in _WORDS.items():
        text = text.replace(word, other)
    return text


CENTRALISED = replace(
    BOARD,
    lanes=(
        LaneKind("gm", "scheduler", "The scheduler: matches tasks against its own, possibly stale, view.", alone=True),
        LaneKind("lm", "manager", "The cluster manager: knows the truth and verifies every request.", alone=True),
        LaneKind("machine", "machine", "A machine: runs what the cluster manager launches.", stands_for="machine"),
    ),
    messages=tuple(replace(kind, help=_of_one(kind.help)) for kind in BOARD.messages),
)
"""With one scheduler and one cluster manager."""
