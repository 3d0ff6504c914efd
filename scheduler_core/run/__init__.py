"""A run from an experiment to its result: what it is made of, the driver, its moments, and what it leaves."""

from __future__ import annotations
