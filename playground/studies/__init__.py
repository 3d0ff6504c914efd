"""Studies: one experiment over a grid of values, schedulers and seeds."""

from __future__ import annotations
