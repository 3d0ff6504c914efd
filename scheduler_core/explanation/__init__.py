"""Explain a task's state, find the smallest change that starts it earlier, compare runs, and list messages.

All functions simulate the run again. A seed has one outcome, so a run need not store data for later questions.
"""

from __future__ import annotations

from scheduler_core.explanation.difference import first_difference
from scheduler_core.explanation.messages import message_log
from scheduler_core.explanation.part_messages import part_messages
from scheduler_core.explanation.smallest import smallest_change
from scheduler_core.explanation.standing import standing

__all__ = ["first_difference", "message_log", "part_messages", "smallest_change", "standing"]
