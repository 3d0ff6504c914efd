"""Questions why about finished runs, which a worker answers by simulating again."""

from __future__ import annotations
