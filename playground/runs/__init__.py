"""Runs: started, executed, paused, watched, compared."""

from __future__ import annotations
