"""A run, from an experiment to its result: the build, the driver, instructive moments, and the results."""

from __future__ import annotations
