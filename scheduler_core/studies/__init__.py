"""Studies: one experiment over a grid of values, several schedulers and seeds, with intervals."""

from __future__ import annotations
