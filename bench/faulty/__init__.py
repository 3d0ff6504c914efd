"""Where `bench.faults` looks for trouble: one host under its supervisor, or several hosts."""

from __future__ import annotations
