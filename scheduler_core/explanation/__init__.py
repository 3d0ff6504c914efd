"""Why a task is where it is, what would have started it earlier, where two runs part, which messages went.

All of it is found by simulating again: a seed has one outcome, so nothing need be kept for questions nobody asks.
"""

from __future__ import annotations

from scheduler_core.explanation.difference import first_difference
from scheduler_core.explanation.messages import message_log
from scheduler_core.explanation.part_messages import part_messages
from scheduler_core.explanation.smallest import smallest_change
from scheduler_core.explanation.standing import standing

__all__ = ["first_difference", "message_log", "part_messages", "smallest_change", "standing"]
