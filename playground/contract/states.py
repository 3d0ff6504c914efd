"""States of what a server computes, as messages name them."""

from __future__ import annotations

from typing import Literal

RunState = Literal["queued", "compiling", "running", "paused", "done", "failed", "cancelled"]
"""The state of a run or of a study."""
