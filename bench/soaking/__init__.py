"""The parts of `bench.soak`: the load, the samples, the report."""

from __future__ import annotations
