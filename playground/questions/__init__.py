"""Questions that a worker answers."""

from __future__ import annotations
